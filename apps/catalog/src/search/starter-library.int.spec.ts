import { readFileSync } from 'node:fs';
import { type Asset, assetSchema } from '@carbon/contracts';
import { compile } from '@carbon/criteria';
import { z } from 'zod';
import { searchPath } from '../testing/catalog.js';
import { catalogWith } from '../testing/set-up.js';
import { CRITERIA_FIELDS } from './search-plan.js';

const judgedQuery = z
  .strictObject({
    /** What makes the query hard. */
    about: z.string().min(1),
    kind: z.enum(['pools', 'projects']),
    query: z.string().min(1),
    /** All that should be found, in any order. */
    all: z.array(z.string()).optional(),
    /** Any of these may be first, by default any of `all`; empty if nothing may be found. */
    first: z.array(z.string()).optional(),
    /** Alternatively: the first asset has these values. */
    like: z
      .strictObject({ country: z.string(), source: z.string(), categories: z.array(z.string()) })
      .partial()
      .optional(),
    /** The current rank of the expected asset if it is not first; 0 if it is not found. */
    rank: z.int().min(0).default(1),
    /** Why that rank is accepted. */
    because: z.string().min(1).optional(),
  })
  .transform(({ first, all, ...rest }) => ({ ...rest, first: first ?? all, all }))
  .refine(({ first, like }) => (first === undefined) !== (like === undefined), 'needs either first (or all) or like')
  .refine(({ rank, because }) => (rank === 1) === (because === undefined), 'a rank needs its reason');

type JudgedQuery = z.output<typeof judgedQuery>;

const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const linesOf = (path: string) =>
  textOf(path)
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

/** As `npm start` publishes it. */
const LIBRARY = linesOf('../../../../infra/data/assets.ndjson').map((line) => assetSchema.parse(line));
/**
 * Queries as people type them, with the expected first asset. They were written from the library before anything was
 * searched.
 */
const JUDGED_QUERIES = linesOf('../testing/judged-queries.ndjson').map((line) => judgedQuery.parse(line));
const PAGE = textOf('../../../../docs/criteria.md');

/** Returns the rank of the first expected asset. A search that must find nothing has rank 1 if it finds nothing. */
function rankOf({ first, like = {} }: JudgedQuery, found: readonly (Asset | undefined)[]): number {
  if (first?.length === 0) return found.length === 0 ? 1 : 0;
  const { country, source, categories = [] } = like;
  const isLike = (asset: Asset) =>
    (country ?? asset.country) === asset.country &&
    (source ?? asset.source) === asset.source &&
    categories.every((category) => asset.categories?.includes(category));
  return found.findIndex((asset) => asset && (first ? first.includes(asset.id) : isLike(asset))) + 1;
}

/** The parts of `all` that are found, and of the found that are in `all`, each the mean of the queries that have some. */
function recallAndPrecision(found: readonly (readonly [all: readonly string[], ids: readonly string[]])[]) {
  const mean = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0) / parts.length;
  const partsOf = (pairs: readonly (readonly [readonly string[], readonly string[]])[]) =>
    pairs
      .filter(([of]) => of.length > 0)
      .map(([of, among]) => of.filter((id) => among.includes(id)).length / of.length);
  return { recall: mean(partsOf(found)), precision: mean(partsOf(found.map(([all, ids]) => [ids, all]))) };
}

/** Returns the rows of all tables on docs/criteria.md that have these column titles. */
function rowsOf(...heads: readonly string[]): readonly (readonly string[])[] {
  const tables = PAGE.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return tables.flatMap(([head = '', , ...rows]) => {
    if (!head.startsWith(`| ${heads.join(' | ')} |`)) return [];
    return rows.map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  });
}

/** Returns the code spans of a cell. */
function codesIn(cell = ''): readonly string[] {
  const codes = [...cell.matchAll(/`` (.+?) ``|`([^`]+)`/g)];
  return codes.map(([, long, short]) => (long ?? short ?? '').replaceAll('\\|', '|'));
}

describe('the starter library', () => {
  const { catalog } = catalogWith(...LIBRARY);

  it('returns the intended asset first', async () => {
    const ranked: JudgedQuery[] = [];
    for (const judged of JUDGED_QUERIES) {
      const found = await catalog.search(judged.kind, { fullTextSearch: judged.query, fields: 'id', limit: 100 });
      const assets = found.map(({ id }) => LIBRARY.find((asset) => asset.id === id));
      ranked.push({ ...judged, rank: rankOf(judged, assets) });
    }
    expect(ranked).toEqual(JUDGED_QUERIES);
    const reciprocal = ranked.map(({ rank }) => (rank === 0 ? 0 : 1 / rank));
    expect(reciprocal.reduce((sum, one) => sum + one, 0) / ranked.length).toBeGreaterThanOrEqual(0.97);
  });

  it('finds what is of a kind, and little else', async () => {
    const found: [readonly string[], readonly string[]][] = [];
    for (const { kind, query, all } of JUDGED_QUERIES) {
      if (all === undefined) continue;
      const assets = await catalog.search(kind, { fullTextSearch: query, fields: 'id', limit: 100 });
      found.push([all, assets.map(({ id }) => String(id))]);
    }
    const { recall, precision } = recallAndPrecision(found);
    expect(recall).toBeGreaterThanOrEqual(0.98);
    expect(precision).toBeGreaterThanOrEqual(0.98);
  });

  it('finds all forests of Brazil by the example of the README', async () => {
    const [, criteria = '', fullTextSearch = ''] =
      /'criteria=(country: [^']+)' --data-urlencode 'fullTextSearch=([^']+)'/.exec(textOf('../../../../README.md')) ??
      [];
    expect(fullTextSearch).toBe('forest');
    const found = await catalog.search('projects', { criteria, fullTextSearch, fields: 'id' });
    const forests = await catalog.search('projects', {
      criteria: `${criteria} and categories: Forestry`,
      fields: 'id',
    });
    expect(new Set(found)).toEqual(new Set(forests));
    expect(found.length).toBeGreaterThan(3);
  });

  it('finds what docs/criteria.md says, in every spelling', async () => {
    const spelled = rowsOf('criteria', 'finds', 'other spellings').map(([, finds, others]) => [others, finds]);
    const findsOf = async (criteria: string, kind: 'pools' | 'projects') => {
      const { headers, body } = await catalog.get(searchPath(kind, { criteria, sort: 'ticker' }));
      const total = Number(headers.get('x-total-count') ?? Number.NaN);
      if (kind === 'projects') return total === 0 ? 'no project' : `${total} project${total > 1 ? 's' : ''}`;
      if (total === 7) return 'all pools';
      return total === 0 ? 'no pool' : (body as Asset[]).map(({ ticker }) => ticker).join(', ');
    };
    const examples = [...rowsOf('criteria', 'finds'), ...spelled].flatMap(([criteria, finds = '']) =>
      codesIn(criteria).map((code) => [code, finds]),
    );
    const found: string[][] = [];
    for (const [criteria = '', finds = ''] of examples) {
      found.push([criteria, await findsOf(criteria, /projects?$/.test(finds) ? 'projects' : 'pools')]);
    }
    expect(found).toEqual(examples);
    expect(examples.length).toBeGreaterThan(100);
  });

  it('refuses what docs/criteria.md says, with the documented rewrite', async () => {
    const examples = rowsOf('refused', 'code', 'instead').map((cells) => cells.map((cell) => codesIn(cell)[0]));
    const answered: (string | undefined)[][] = [];
    for (const [criteria = ''] of examples) {
      const { body } = await catalog.get(searchPath('projects', { criteria }));
      const { errors } = body as { errors: { code: string; suggestion?: string; hint?: string }[] };
      answered.push([criteria, errors.map(({ code }) => code).join(), errors[0]?.suggestion ?? errors[0]?.hint]);
    }
    expect(answered).toEqual(examples);
    expect(examples.length).toBeGreaterThan(10);
  });

  it('accepts the equivalents of other languages in docs/criteria.md, and every documented rewrite', () => {
    const isAccepted = (criteria = '') => compile(criteria, CRITERIA_FIELDS.PROJECT).ok;
    for (const [, there, here] of rowsOf('you know', 'there', 'here')) {
      const [known, rewrite] = [codesIn(there)[0], codesIn(here)[0]];
      expect([known, isAccepted(known)]).toEqual([known, here === 'the same']);
      if (rewrite !== undefined) expect([rewrite, isAccepted(rewrite)]).toEqual([rewrite, true]);
    }
  });
});
