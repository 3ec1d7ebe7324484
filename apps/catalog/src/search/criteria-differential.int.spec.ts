import { checkCriteria, compile, parseCriteria } from '@carbon/criteria';
import { goldenFields, goldenIndex, matches, randomCriteria, randomDocument, seeded } from '@carbon/criteria/golden';
import { freshPrefix, testEngines } from '@carbon/testing';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';

const SEED = 20_261_121;
const DOCUMENTS = 300;
const CRITERIA = 1_000;
const BATCH = 100;

const answers = z.object({
  responses: z.array(z.object({ hits: z.object({ hits: z.array(z.object({ _id: z.string() })) }) })),
});

describe('random criteria', () => {
  const openSearch = new OpenSearch(testEngines().opensearchUrl);
  const index = `${freshPrefix()}random`;
  const choose = seeded(SEED);
  const documents = Array.from({ length: DOCUMENTS }, (_, number) =>
    randomDocument(choose, goldenFields, `d${number}`),
  );

  beforeAll(async () => {
    await openSearch.ask({ method: 'PUT', path: `/${index}`, body: goldenIndex }, z.unknown(), 10_000);
    const lines = documents.map((document) => {
      return `${JSON.stringify({ index: { _index: index, _id: document.id } })}\n${JSON.stringify(document)}\n`;
    });
    const stored = z.object({ errors: z.literal(false) });
    await openSearch.ask(
      { method: 'POST', path: '/_bulk', query: { refresh: true }, lines: lines.join('') },
      stored,
      10_000,
    );
  });

  afterAll(() => openSearch.close());

  /** What the language says that the criteria select, without an index. */
  function expected(criteria: string): string[] {
    const parsed = parseCriteria(criteria);
    if (!parsed.ok) throw new Error(`${criteria}: ${JSON.stringify(parsed.errors)}`);
    const checked = checkCriteria(parsed.value, goldenFields);
    if (!checked.ok) throw new Error(`${criteria}: ${JSON.stringify(checked.errors)}`);
    return documents.filter((document) => matches(checked.value, document)).map(({ id }) => id);
  }

  /** What OpenSearch selects for each. */
  async function selected(batch: readonly string[]): Promise<string[][]> {
    const lines = batch.map((criteria) => {
      const compiled = compile(criteria, goldenFields);
      if (!compiled.ok) throw new Error(`${criteria}: ${JSON.stringify(compiled.errors)}`);
      const body = { query: { bool: { filter: [compiled.query] } }, size: DOCUMENTS, _source: false };
      return `{}\n${JSON.stringify(body)}\n`;
    });
    const { responses } = await openSearch.ask(
      { method: 'POST', path: `/${index}/_msearch`, lines: lines.join('') },
      answers,
      20_000,
    );
    return responses.map(({ hits }) => hits.hits.map(({ _id }) => _id));
  }

  it(`select on OpenSearch what the language says they mean (${CRITERIA} of them, seed ${SEED})`, async () => {
    let some = 0;
    for (let done = 0; done < CRITERIA; done += BATCH) {
      const batch = Array.from({ length: BATCH }, () => randomCriteria(choose, goldenFields));
      const found = await selected(batch);
      for (const [place, criteria] of batch.entries()) {
        const wanted = expected(criteria);
        expect({ criteria, ids: found[place]?.sort() }).toEqual({ criteria, ids: wanted.sort() });
        if (wanted.length > 0 && wanted.length < DOCUMENTS) some += 1;
      }
    }
    // Criteria that select all or nothing prove little.
    expect(some).toBeGreaterThan(CRITERIA / 2);
  });
});
