import { type Compiled, type CriteriaFields, compile, type QueryClause } from '@carbon/criteria';
import { type GoldenDocument, indexFor } from '@carbon/criteria/golden';
import { freshPrefix } from '@carbon/testing';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';

/** An index of documents of some criteria fields, on a real OpenSearch. */
export interface TestIndex {
  readonly openSearch: OpenSearch;
  readonly fields: CriteriaFields;
  /** The ids that each of the queries selects, in alphabetical order. An error of the server is thrown. */
  idsOf(queries: readonly QueryClause[]): Promise<readonly (readonly string[])[]>;
  /** Makes one segment of each shard. */
  merge(): Promise<void>;
  close(): Promise<void>;
}

/** Where the index is, and what is in it. */
export interface TestIndexOptions {
  readonly url: string;
  readonly fields: CriteriaFields;
  readonly documents: readonly GoldenDocument[];
  readonly shards?: number;
}

const BATCH = 100;
const DEADLINE_MS = 30_000;

const hits = z.object({ hits: z.object({ hits: z.array(z.object({ _id: z.string() })) }) });
const answers = z.object({ responses: z.array(z.unknown()) });
const stored = z.object({ errors: z.literal(false) });

/** Makes the index and waits until all documents can be found. */
export async function testCriteriaIndex({ url, fields, documents, shards }: TestIndexOptions): Promise<TestIndex> {
  const openSearch = new OpenSearch(url);
  const index = `${freshPrefix()}criteria`;
  const size = documents.length;
  await openSearch.ask({ method: 'PUT', path: `/${index}`, body: indexFor(fields, shards) }, z.unknown(), DEADLINE_MS);
  const lines = documents.map((document) => linesOf({ index: { _index: index, _id: document.id } }, document));
  const bulk = { method: 'POST', path: '/_bulk', query: { refresh: true }, lines: lines.join('') } as const;
  await openSearch.ask(bulk, stored, DEADLINE_MS);

  const idsOf = async (batch: readonly QueryClause[]) => {
    const searches = batch.map((query) => linesOf({}, { query: { bool: { filter: [query] } }, size, _source: false }));
    const ask = { method: 'POST', path: `/${index}/_msearch`, lines: searches.join('') } as const;
    const { responses } = await openSearch.ask(ask, answers, DEADLINE_MS);
    return responses.map((response, place) => idsIn(response, batch[place]));
  };

  return {
    openSearch,
    fields,
    idsOf: async (queries) => {
      const found: (readonly string[])[] = [];
      for (let from = 0; from < queries.length; from += BATCH) {
        found.push(...(await idsOf(queries.slice(from, from + BATCH))));
      }
      return found;
    },
    merge: async () => {
      const query = { max_num_segments: 1, flush: true };
      await openSearch.ask({ method: 'POST', path: `/${index}/_forcemerge`, query }, z.unknown(), DEADLINE_MS);
      await openSearch.ask({ method: 'POST', path: `/${index}/_refresh` }, z.unknown(), DEADLINE_MS);
    },
    close: () => openSearch.close(),
  };
}

/** The query of criteria that must be accepted. */
export function queryOf(criteria: string, fields: CriteriaFields): QueryClause {
  const compiled: Compiled = compile(criteria, fields);
  if (compiled.ok) return compiled.query;
  throw new Error(`${JSON.stringify(criteria)} is refused: ${compiled.errors.map(({ detail }) => detail).join('; ')}`);
}

function idsIn(response: unknown, query: QueryClause | undefined): readonly string[] {
  const read = hits.safeParse(response);
  if (read.success) return read.data.hits.hits.map(({ _id }) => _id).sort();
  throw new Error(`OpenSearch answers ${JSON.stringify(response)} to ${JSON.stringify(query)}`);
}

function linesOf(header: object, body: object): string {
  return `${JSON.stringify(header)}\n${JSON.stringify(body)}\n`;
}
