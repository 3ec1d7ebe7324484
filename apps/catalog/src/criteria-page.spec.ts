import { type AssetType } from '@carbon/contracts';
import { checkCriteria, compile, DEFAULT_LIMITS, parseCriteria } from '@carbon/criteria';
import { type GoldenDocument, matches } from '@carbon/criteria/golden';
import { CRITERIA_FIELDS } from './criteria-fields.js';
import { assetDocument } from './ingest/asset-document.js';
import {
  acceptedExamples,
  blocksOf,
  codesIn,
  findsText,
  refusedExamples,
  rowsOf,
  starterLibrary,
  textOf,
} from './test-criteria-page.js';
import { criteriaProblem } from './test-criteria-problem.js';

const PAGE = textOf('docs/criteria.md');
const ACCEPTED = acceptedExamples(PAGE);
const REFUSED = refusedExamples(PAGE);
const LIBRARY = starterLibrary();

function select(criteria: string, type: AssetType): string {
  const parsed = parseCriteria(criteria);
  const checked = parsed.ok ? checkCriteria(parsed.value, CRITERIA_FIELDS[type]) : parsed;
  if (!checked.ok) throw new Error(`${criteria}: ${checked.errors.map(({ detail }) => detail).join('; ')}`);
  const all = LIBRARY.filter((asset) => asset.type === type);
  const found = all.filter((asset) => matches(checked.value, assetDocument(asset) as GoldenDocument));
  return findsText(type, found, all.length);
}

/** What is right of every criteria on the page must be so on both kinds, where the fields exist on both. */
function selectBoth(criteria: string): string {
  return (['POOL', 'PROJECT'] as const)
    .filter((type) => type === 'PROJECT' || compile(criteria, CRITERIA_FIELDS[type]).ok)
    .map((type) => select(criteria, type))
    .join(' and ');
}

describe('docs/criteria.md', () => {
  it('has examples', () => {
    expect(ACCEPTED.length).toBeGreaterThan(50);
    expect(REFUSED.length).toBeGreaterThan(10);
  });

  it.each(ACCEPTED)('says what $criteria finds', ({ criteria, type, finds }) => {
    expect(select(criteria, type)).toBe(finds);
  });

  it.each(ACCEPTED.flatMap(({ criteria, spellings }) => spellings.map((spelling) => ({ criteria, spelling }))))(
    'rightly says that $spelling is $criteria',
    ({ criteria, spelling }) => {
      expect(selectBoth(spelling)).toBe(selectBoth(criteria));
    },
  );

  it.each(REFUSED)('says how $criteria is refused', ({ criteria, code, instead }) => {
    const { errors } = criteriaProblem('PROJECT', criteria);
    expect(errors.map((error) => [error.code, error.suggestion ?? error.hint])).toEqual([[code, instead]]);
  });

  it.each(rowsOf(PAGE, 'you know', 'there', 'here'))('translates $there', ({ there, here = '' }) => {
    const [known = ''] = codesIn(there);
    const [rewrite] = codesIn(here);
    expect(compile(known, CRITERIA_FIELDS.PROJECT).ok).toBe(here === 'the same');
    if (rewrite !== undefined) expect(compile(rewrite, CRITERIA_FIELDS.PROJECT)).toMatchObject({ ok: true });
  });

  it('tells which characters need quotes, and which escapes there are', () => {
    const canonicalOf = (criteria: string) => {
      const compiled = compile(criteria, CRITERIA_FIELDS.POOL);
      return compiled.ok ? compiled.canonical : undefined;
    };
    const [, listed = ''] = /one of ``(.+?) ``/.exec(PAGE) ?? [];
    const needy = new Set([...listed.split(' '), '*', '?', ' ', '..']);
    expect(needy.size).toBeGreaterThan(20);
    for (let code = 0x20; code < 0x7f; code++) {
      const sign = String.fromCharCode(code);
      if (/[\w\\]/.test(sign)) continue;
      expect([sign, canonicalOf(`ticker:a${sign}b`) === `ticker = "a${sign}b"`]).toEqual([sign, !needy.has(sign)]);
    }
    const [, escapes = ''] = /these escapes are known: `([^`]+)`/.exec(PAGE) ?? [];
    for (const sequence of escapes.split(' ')) {
      expect(canonicalOf(`ticker:"${sequence.replace('XXXX', '00e9')}"`)).toBeDefined();
    }
  });

  it('tells the limits that hold', () => {
    const told = rowsOf(PAGE, 'what', 'at most', 'beyond').map((row) => Number(row['at most']));
    const { length, depth, clauses, valueLength, patterns, errors, ...ofPatterns } = DEFAULT_LIMITS;
    const { patternStars, patternQuestions, patternEffort } = ofPatterns;
    expect(told).toEqual([
      length,
      depth,
      clauses,
      valueLength,
      patterns,
      patternStars,
      patternQuestions,
      patternEffort,
      errors,
    ]);
  });

  it('shows the answer to a mistake as it comes', () => {
    const [shown = ''] = blocksOf(PAGE, 'json');
    const answer = criteriaProblem('POOL', 'tiker:BCT and rating:high');
    expect({ ...answer, ...JSON.parse(shown) }).toEqual(answer);
  });
});
