import { compile } from '../compile.js';
import { goldenFields } from '../reference/golden.js';
import { select } from '../reference/test-select.js';

/** A text, the part of it that its hint rewrites, and criteria that say what was meant. */
type Row = readonly [text: string, replaced: string, meant: string];

const SEVERAL_VALUES: readonly Row[] = [
  ['ticker:BCT,NCT', 'ticker:BCT,NCT', 'ticker:BCT or ticker:NCT'],
  ['ticker = BCT, NCT', 'ticker = BCT, NCT', 'ticker:BCT or ticker:NCT'],
  ['rating:3.5,4.3,5', 'rating:3.5,4.3,5', 'rating:3.5 or rating:4.3 or rating:5'],
  ['name:carbon,offset and rating>0', 'name:carbon,offset', '(name:carbon or name:offset) and rating>0'],
  ['ticker != BCT,NCT', 'ticker != BCT,NCT', 'not ticker:BCT and not ticker:NCT'],
  ['ticker==BCT,ticker==NCT', ',', 'ticker:BCT or ticker:NCT'],
  ['source:TOUCAN, source:C3', ',', 'source:TOUCAN or source:C3'],
  ['(ticker:BCT, source:C3)', ',', 'ticker:BCT or source:C3'],
  ['rating>4, price<2', ',', 'rating>4 or price<2'],
  ['ticker = BCT OR NCT', 'ticker = BCT OR NCT', 'ticker:BCT or ticker:NCT'],
  ["ticker = 'BCT' or 'NCT'", "ticker = 'BCT' or 'NCT'", 'ticker:BCT or ticker:NCT'],
  ['rating=3.5 or 4.3', 'rating=3.5 or 4.3', 'rating:3.5 or rating:4.3'],
  ['ticker:BCT or NCT or UBO and active:true', 'ticker:BCT or NCT or UBO', 'ticker in (BCT, NCT, UBO) active:true'],
  ['name:carbon or offset', 'name:carbon or offset', 'name:carbon or name:offset'],
  ['name:base or carbon tonne', 'name:base or carbon tonne', 'name:base or name:"carbon tonne"'],
  ['sdgs:13 and not 15', 'sdgs:13 and not 15', 'sdgs:13 and not sdgs:15'],
  ['sdgs:13 and -15', 'sdgs:13 and -15', 'sdgs:13 and not sdgs:15'],
  ['ticker != BCT and NCT', 'ticker != BCT and NCT', 'not (ticker:BCT or ticker:NCT)'],
  ['ticker in (BCT) or NCT', 'ticker in (BCT) or NCT', 'ticker:BCT or ticker:NCT'],
  ['ticker:(BCT or NCT) or UBO', 'ticker:(BCT or NCT) or UBO', 'ticker in (BCT, NCT, UBO)'],
  ['rating > 4 or 5', '5', 'rating > 4 or rating > 5'],
  ['name like "base*" or "nat*"', '"nat*"', 'name like "base*" or name like "nat*"'],
  ['ticker:BCT，NCT', 'ticker:BCT，NCT', 'ticker:BCT or ticker:NCT'],
  ['name:carbon、offset', 'name:carbon、offset', 'name:carbon or name:offset'],
];

const FIELDS_ALONE: readonly Row[] = [
  ['active', 'active', 'active:true'],
  ['source:C3 active', 'active', 'source:C3 and active:true'],
  ['not active', 'active', 'not active:true'],
  ['rating', 'rating', 'rating exists'],
  ['exists rating', 'exists rating', 'rating exists'],
  ['missing rating', 'missing rating', 'rating is null'],
  ['ticker BCT', 'ticker BCT', 'ticker:BCT'],
  ['rating not 3.5', 'rating not 3.5', 'not rating:3.5'],
  ['ticker not = BCT', 'ticker not = BCT', 'not ticker:BCT'],
  ['description not mangrove', 'description not mangrove', 'not description:mangrove'],
  ['ticker isnot BCT', 'ticker isnot BCT', 'not ticker:BCT'],
  ['price notnull', 'price notnull', 'price exists'],
  ['price isnull', 'price isnull', 'price is null'],
  ['rating ≥ 3.5', 'rating ≥ 3.5', 'rating >= 3.5'],
  ['rating≤3.5', 'rating≤3.5', 'rating <= 3.5'],
  ['ticker ≠ BCT', 'ticker ≠ BCT', 'not ticker:BCT'],
  ['ticker any (BCT, NCT)', 'ticker any (BCT, NCT)', 'ticker:BCT or ticker:NCT'],
  ['ticker notin (BCT, NCT)', 'ticker notin (BCT, NCT)', 'ticker not in (BCT, NCT)'],
  ['rating is exists', 'rating is exists', 'rating exists'],
];

const SEVERAL_WORDS: readonly Row[] = [
  ['name:Base Carbon', 'name:Base Carbon', 'name:"base carbon"'],
  ['name = Base Carbon Tonne and rating>3', 'name = Base Carbon Tonne', 'name = "Base Carbon Tonne" and rating>3'],
  ["name:Côte d'Ivoire mangroves", "name:Côte d'Ivoire mangroves", `name:"cote d'ivoire mangroves"`],
  ['name:Base Carb* rating>3', 'name:Base Carb*', 'name like "Base Carb*" and rating>3'],
  ['description:wind far*', 'description:wind far*', 'description:wind and description:far*'],
  ['source:TOUCAN where rating>4', 'where', 'source:TOUCAN and rating>4'],
  ['source:TOUCAN unless rating>4', 'unless', 'source:TOUCAN and not rating>4'],
  ['carbon tonne', 'carbon tonne', 'name:"carbon tonne"'],
];

const OTHER_LANGUAGES: readonly Row[] = [
  ['3 < rating', '3 < rating', 'rating > 3'],
  ['4.3 >= rating and active:true', '4.3 >= rating', 'rating <= 4.3 and active:true'],
  ['BCT = ticker', 'BCT = ticker', 'ticker:BCT'],
  ['BCT != ticker', 'BCT != ticker', 'not ticker:BCT'],
  ['[ticker] = BCT and rating > 3', '[ticker]', 'ticker:BCT and rating > 3'],
  ['name.exact:"base carbon tonne"', 'name.exact:"base carbon tonne"', 'name = "base carbon tonne"'],
  ['ticker.keyword:BCT', 'ticker.keyword:BCT', 'ticker:BCT'],
  ['description.raw = mangrove', 'description.raw = mangrove', 'description:mangrove'],
  ['rating.keyword > 3', 'rating.keyword', 'rating > 3'],
  ['sdgs contains 13', 'sdgs contains 13', 'sdgs:13'],
  ['sdgs has 13', 'sdgs has 13', 'sdgs:13'],
  ['has(sdgs, 13)', 'has(sdgs, 13)', 'sdgs:13'],
  ['has(price)', 'has(price)', 'price exists'],
  ['has:price', 'has:price', 'price exists'],
  ["description contains 'wind farms'", "description contains 'wind farms'", 'description:"wind farms"'],
  ['name contains "premium"', 'name contains "premium"', 'name:premium'],
  ['ticker contains BCT', 'ticker contains BCT', 'ticker like "*BCT*"'],
  ["startswith(name,'base')", "startswith(name,'base')", 'name like "base*"'],
  ["startswith(name,'it''s')", "startswith(name,'it''s')", `name like "it's*"`],
  ['description startswith mang', 'description startswith mang', 'description:mang*'],
  ['address startswith 0x2f', 'address startswith 0x2f', 'address:0x2f*'],
  ['name endswith tonne', 'name endswith tonne', 'name like "*tonne"'],
  ["name ILIKE '%carbon%'", "name ILIKE '%carbon%'", 'name like "*carbon*"'],
  ['name like "B_se%"', 'like "B_se%"', 'name like "B?se*"'],
  ["name ILIKE 'b_se%'", "name ILIKE 'b_se%'", 'name like "b?se*"'],
  ["ticker =~ 'B.*'", "ticker =~ 'B.*'", 'ticker:B*'],
  ['ticker =~ bct', 'ticker =~ bct', 'ticker:bct'],
  ['name !~ carbon', 'name !~ carbon', 'not name:carbon'],
  ['createdAt after 2022', 'createdAt after 2022', 'createdAt > 2022'],
  ['ticker=in=(BCT,NCT)', 'ticker=in=(BCT,NCT)', 'ticker:BCT or ticker:NCT'],
  ['ticker=out=(BCT,NCT)', 'ticker=out=(BCT,NCT)', 'not ticker:BCT and not ticker:NCT'],
  ['rating=ge=4;source==TOUCAN', 'rating=ge=4', 'rating >= 4 and source:TOUCAN'],
];

const NEGATIONS_AND_RANGES: readonly Row[] = [
  ['ticker:not BCT', 'ticker:not BCT', 'not ticker:BCT'],
  ['ticker = not (BCT)', 'ticker = not (BCT)', 'not ticker:BCT'],
  ['ticker:-BCT', 'ticker:-BCT', 'not ticker:BCT'],
  ['ticker:-(BCT)', 'ticker:-(BCT)', 'not ticker:BCT'],
  ['ticker:!BCT', 'ticker:!BCT', 'not ticker:BCT'],
  ['ticker:(-BCT)', '-BCT', 'not ticker:BCT'],
  ['rating in [3 TO 4.5]', 'rating in [3 TO 4.5]', 'rating:3..4.5'],
  ['rating > 3 and < 4.5', '< 4.5', 'rating > 3 and rating < 4.5'],
];

const VALUES: readonly Row[] = [
  ['rating:3...5', '3...5', 'rating:3..5'],
  ['rating:−1.25', '−1.25', 'rating:-1.25'],
  ['rating > +3', '+3', 'rating > 3'],
  ['createdAt:2022-02-28T23:59:59.999999Z', '2022-02-28T23:59:59.999999Z', 'createdAt:2022-02-28T23:59:59.999Z'],
  ['createdAt < 2022-02-28T23:59:59.5Z', '2022-02-28T23:59:59.5Z', 'createdAt < 2022-02-28T23:59:59.500Z'],
  ['createdAt < 2022-03-01T01:00:00+0100', '2022-03-01T01:00:00+0100', 'createdAt < 2022-03-01'],
  ['createdAt:2022-02-28Z', '2022-02-28Z', 'createdAt:2022-02-28'],
  ['createdAt:2022/02/28', '2022/02/28', 'createdAt:2022-02-28'],
  ['createdAt:20220228', '20220228', 'createdAt:2022-02-28'],
  ['description:co-ben*', 'description:co-ben*', 'description:co and description:ben*'],
  ['not description:co-ben* active:false', 'description:co-ben*', 'not (description:co description:ben*) active:false'],
];

/** What a hint tells to write: its first proposal alone. */
function rewriteIn(hint = ''): string | undefined {
  const [, rewrite] = /(?:write|spaces:) (.+)$/.exec(hint) ?? [];
  const end = /, or | instead| for (?:words|all|any|how)|; | \((?:a|three) /;
  return rewrite?.split(end)[0];
}

/** The text with its mistakes mended as their hints tell, the first part that is wrong first. */
function mended(text: string, replaced: string): string {
  const compiled = compile(text, goldenFields);
  const rewrite = compiled.ok ? undefined : rewriteIn(compiled.errors.at(-1)?.hint);
  if (rewrite === undefined) throw new Error(`no rewrite for ${text}`);
  const padded = replaced === ',' || replaced === ';' ? ` ${rewrite} ` : rewrite;
  return text.replace(replaced, () => padded).replace(';', ' and ');
}

describe('the rewrite in a hint', () => {
  it.each([
    ...SEVERAL_VALUES,
    ...FIELDS_ALONE,
    ...SEVERAL_WORDS,
    ...OTHER_LANGUAGES,
    ...NEGATIONS_AND_RANGES,
    ...VALUES,
  ])('put into %s in the place of %s selects what was meant: %s', (text, replaced, meant) => {
    expect(select(mended(text, replaced))).toEqual(select(meant));
  });
});
