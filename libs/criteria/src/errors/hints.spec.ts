import { compile } from '../compile.js';
import { goldenFields } from '../reference/golden.js';

const hintsOf = (text: string) => {
  const compiled = compile(text, goldenFields);
  return compiled.ok ? compiled.canonical : compiled.errors.map(({ hint }) => hint);
};

/** A text, and the criteria that its hint tells to write instead. */
const REWRITES: readonly (readonly [string, string])[] = [
  ['name:Base Carbon', 'name:"Base Carbon"'],
  ['ticker = Base Carbon', 'ticker = "Base Carbon"'],
  ['ticker like Base Carb*', 'ticker like "Base Carb*"'],
  ['amazon', 'name:amazon'],
  ['description = mangrove', 'description:mangrove'],
  ['description like "mangrov*"', 'description:word'],
  ['rating=gt=3', 'rating > 3'],
  ['rating=>3', 'rating >= 3'],
  ['rating === 3', 'rating = 3'],
  ['rating:3 TO 5', 'rating:3..5'],
  ['rating 3 to 5', 'rating:3..5'],
  ['ticker:BCT,NCT', 'ticker in (BCT, NCT)'],
  ['exists(rating)', 'rating exists'],
  ['missing(rating)', 'rating is null'],
  ['contains(name, "carbon tonne")', 'name:"carbon tonne"'],
  ['startsWith(name, carbon)', 'name like "carbon*"'],
  ['name contains carbon', 'name like "*carbon*"'],
  ['name starts with "base"', 'name like "base*"'],
  ["name endswith 'tonne'", 'name like "*tonne"'],
  ['name ilike "base*"', 'name like "base*"'],
  ['createdAt after 2022', 'createdAt > 2022'],
  ['name ~ carbon', 'name:"carbon"'],
  ['name !~ carbon', 'not name:"carbon"'],
  ['name =~ carbon', 'name:"carbon"'],
  ['has:rating', 'rating exists'],
  ['_exists_:rating', 'rating exists'],
  ['rating is empty', 'rating is null'],
  ['rating is not empty', 'rating is not null'],
  ['active is true', 'active = true'],
  ['{"ticker":"BCT"}', 'ticker:BCT and rating>=3'],
];

/** Hints that rewrite a part, with what they say. */
const PARTS: readonly (readonly [string, string])[] = [
  ['createdAt>=2022-02-28 10:30 and rating>3', 'write 2022-02-28T10:30'],
  ['createdAt:"2022-02-28 10:30:00"', 'write 2022-02-28T10:30:00'],
  ['rating:[3, 5]', 'write [3 TO 5] for all between, or (3, 5) for any of them'],
  ['rating:[3, 4, 5]', 'write (3, 4, 5) for any of them'],
  ['name:/amaz.*on./', 'use * and ? wildcards: write amaz*on?'],
  ['name:/(a|b)+/', 'use * and ? wildcards'],
  ['name:/carb[aeiou]n tonne/', 'use * and ? wildcards'],
  ['name:/carb[aeiou]n tonne/ and rating>3', 'use * and ? wildcards'],
  ['[{"ticker":"BCT"}]', 'write for example: ticker:BCT and rating>=3'],
  ['name like "%carbon%"', 'write like "*carbon*", or = when "%" is meant'],
  ["name LIKE 'B_se%'", 'write like "B?se*", or "B_se*" when "_" is meant'],
  ['ticker:BCT & rating>3', 'write "and" or "&&"; in a URL encode & as %26'],
  ['ticker:BCT | rating>3', 'write "or" or "||"'],
  ['ticker:BCT;rating>3', 'write and'],
  ['ticker:BCT;', 'leave it out'],
  ['ticker in (BCT;NCT)', 'write a comma between values'],
  ['createdAt > now-7d', 'there are no relative dates: write the day itself, such as 2022-02-28'],
  ['createdAt > now()', 'write the value itself; there are no relative dates'],
  ['name:http://x', 'quote a value that holds a colon'],
  ['name:“base carbon”', 'use a straight quote: " or \''],
  ['address:2F80', 'write 0x2F80'],
  ['address:2F80*', 'write 0x2F80*'],
  ['active:yes', 'write true'],
  ['ticker:*', 'ticker exists'],
  ['ticker:**', 'for any value at all write ticker exists'],
  ['createdAt:2022-02-28T10:30:00 02:00', 'in a URL "+" means a blank; write 2022-02-28T10:30:00%2B02:00 there'],
  ['createdAt:"2022-02-28T10:30:00 02:00"', 'in a URL "+" means a blank; write 2022-02-28T10:30:00%2B02:00 there'],
];

describe('a hint', () => {
  it.each(REWRITES)('for %s holds %s, and that is accepted', (text, rewrite) => {
    expect(hintsOf(text)).toEqual([expect.stringContaining(rewrite)]);
    expect(compile(rewrite, goldenFields)).toMatchObject({ ok: true });
  });

  it.each(PARTS)('for %s says %s', (text, hint) => {
    expect([hintsOf(text)].flat()).toEqual([hint]);
  });

  it.each([
    ['ticker in (BCT，NCT)', 'write a plain comma: ,', '，', ',', 'ticker in (BCT, NCT)'],
    ['ticker:(BCT、NCT)', 'write a plain comma: ,', '、', ',', 'ticker in (BCT, NCT)'],
    ['+ticker:BCT', 'leave "+" out: a condition must hold anyway', '+', '', 'ticker:BCT'],
    ['ticker:BCT +rating>3', 'leave "+" out: a condition must hold anyway', '+', '', 'ticker:BCT and rating>3'],
  ])('for %s says %s: %s becomes "%s", and that is read as %s', (text, hint, wrong, right, meant) => {
    expect(hintsOf(text)).toEqual([hint]);
    expect(compile(text.replace(wrong, right), goldenFields)).toEqual(compile(meant, goldenFields));
  });

  it('names the field for both sides of 3 < rating < 5', () => {
    expect(hintsOf('3 < rating < 5')).toEqual(['the field stands first: write rating > 3', 'write rating < 5']);
  });

  it('leaves the comma of another script to quotes and escapes', () => {
    expect(compile('ticker:BCT\\，NCT', goldenFields)).toEqual(compile('ticker:"BCT，NCT"', goldenFields));
    expect(compile('ticker:"BCT，NCT"', goldenFields)).toMatchObject({ ok: true });
  });

  it('never shows more of the text than eighty characters of any piece', () => {
    const long = 'x'.repeat(2000);
    const texts = [
      `name:${long} ${long}`,
      `contains(${long}, ${long})`,
      `rating:[${long}, ${long}]`,
      `${long} ~ ${long}`,
    ];
    for (const text of texts) expect(String(hintsOf(text)).length).toBeLessThan(400);
  });
});
