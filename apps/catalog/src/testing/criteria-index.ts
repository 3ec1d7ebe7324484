import { type CriteriaFields, compile, type QueryClause } from '@carbon/criteria';
import {
  type GoldenDocument,
  indexFor,
  matches,
  randomDocument,
  randomFields,
  seeded,
  smallest,
  type Written,
  writeCriteria,
} from '@carbon/criteria/golden';
import { freshPrefix } from '@carbon/testing';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';

/**
 * The random data is the same every time, unless jest gets another seed: `npm run jest -- criteria-differential
 * --selectProjects int --globals '{"criteria":{"seed":7,"count":30000}}' --testTimeout 900000`.
 */
const settings = z
  .object({ seed: z.int().default(20_261_121), count: z.int().positive().default(1_000) })
  .prefault({})
  .parse((globalThis as { readonly criteria?: unknown }).criteria);

/** The seed of all random data, and the number of criteria that one test compares. */
export const { seed: SEED, count: COUNT } = settings;

const choose = seeded(SEED);

/** 300 documents with few values, so that conditions often match or nearly match. */
export const DOCUMENTS: readonly GoldenDocument[] = Array.from({ length: 300 }, (_, number) =>
  randomDocument(choose, randomFields, `d${number}`),
);

const isAccepted = ({ text }: Written) => compile(text, randomFields).ok;

/** Random criteria over the whole language, without the few that are rejected. */
export function drawCriteria(): readonly Written[] {
  return Array.from({ length: COUNT }, () => writeCriteria(choose, randomFields)).filter(isAccepted);
}

const known = new WeakMap<Written, readonly string[]>();

/**
 * The documents that each criteria text selects by the reference implementation. Computed once, because that is slower
 * than a search.
 */
export function expectedIds(written: Written): readonly string[] {
  const selected = () => DOCUMENTS.filter((document) => matches(written.meaning, document)).map(({ id }) => id);
  const ids = known.get(written) ?? selected().sort();
  known.set(written, ids);
  return ids;
}

/** Returns the query of criteria that must be accepted. */
export function queryOf(criteria: string, fields: CriteriaFields = randomFields): QueryClause {
  const compiled = compile(criteria, fields);
  if (compiled.ok) return compiled.query;
  throw new Error(`${JSON.stringify(criteria)} is refused: ${compiled.errors.map(({ detail }) => detail).join('; ')}`);
}

/** An index of documents of some criteria fields, on a real OpenSearch. */
export interface TestIndex {
  readonly openSearch: OpenSearch;
  /** Returns the ids that each of the queries selects, in alphabetical order. Throws an error of the server. */
  idsOf(queries: readonly QueryClause[]): Promise<readonly (readonly string[])[]>;
  /** Merges each shard to one segment. */
  merge(): Promise<void>;
  close(): Promise<void>;
}

/** The index and its documents. */
export interface TestIndexOptions {
  readonly url: string;
  readonly fields?: CriteriaFields;
  readonly documents?: readonly GoldenDocument[];
  readonly shards?: number;
}

const BATCH = 100;
const DEADLINE_MS = 30_000;

const hits = z.object({ hits: z.object({ hits: z.array(z.object({ _id: z.string() })) }) });
const answers = z.object({ responses: z.array(z.unknown()) });
const stored = z.object({ errors: z.literal(false) });

/** Creates an index, by default with random documents, and waits until all documents are searchable. */
export async function testCriteriaIndex(options: TestIndexOptions): Promise<TestIndex> {
  const { url, fields = randomFields, documents = DOCUMENTS, shards } = options;
  const openSearch = new OpenSearch(url);
  const index = `${freshPrefix()}criteria`;
  const size = documents.length;
  await openSearch.request(
    { method: 'PUT', path: `/${index}`, body: indexFor(fields, shards) },
    z.unknown(),
    DEADLINE_MS,
  );
  const lines = documents.map((document) => linesOf({ index: { _index: index, _id: document.id } }, document));
  const bulk = { method: 'POST', path: '/_bulk', query: { refresh: true }, lines: lines.join('') } as const;
  await openSearch.request(bulk, stored, DEADLINE_MS);

  const idsOf = async (batch: readonly QueryClause[]) => {
    const searches = batch.map((query) => linesOf({}, { query: { bool: { filter: [query] } }, size, _source: false }));
    const ask = { method: 'POST', path: `/${index}/_msearch`, lines: searches.join('') } as const;
    const { responses } = await openSearch.request(ask, answers, DEADLINE_MS);
    return responses.map((response, place) => idsIn(response, batch[place]));
  };

  return {
    openSearch,
    idsOf: async (queries) => {
      const found: (readonly string[])[] = [];
      for (let from = 0; from < queries.length; from += BATCH) {
        found.push(...(await idsOf(queries.slice(from, from + BATCH))));
      }
      return found;
    },
    merge: async () => {
      const query = { max_num_segments: 1, flush: true };
      await openSearch.request({ method: 'POST', path: `/${index}/_forcemerge`, query }, z.unknown(), DEADLINE_MS);
      await openSearch.request({ method: 'POST', path: `/${index}/_refresh` }, z.unknown(), DEADLINE_MS);
    },
    close: () => openSearch.close(),
  };
}

/** Returns the smallest criteria on which index and reference differ; undefined if they agree on all. */
export async function firstDifference(index: TestIndex, criteria: readonly Written[]): Promise<object | undefined> {
  const found = await index.idsOf(criteria.map(({ text }) => queryOf(text)));
  const wrong = criteria.find((written, place) => !isSame(found[place], expectedIds(written)));
  if (wrong === undefined) return undefined;
  const least = await smallest(wrong, async (written) => {
    if (!isAccepted(written)) return false;
    const [ids] = await index.idsOf([queryOf(written.text)]);
    return !isSame(ids, expectedIds(written));
  });
  const [ids] = await index.idsOf([queryOf(least.text)]);
  return { seed: SEED, criteria: least.text, found: ids, expected: expectedIds(least), within: wrong.text };
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one?.join() === other.join();
}

function idsIn(response: unknown, query: QueryClause | undefined): readonly string[] {
  const read = hits.safeParse(response);
  if (read.success) return read.data.hits.hits.map(({ _id }) => _id).sort();
  throw new Error(`OpenSearch answers ${JSON.stringify(response)} to ${JSON.stringify(query)}`);
}

function linesOf(header: object, body: object): string {
  return `${JSON.stringify(header)}\n${JSON.stringify(body)}\n`;
}
