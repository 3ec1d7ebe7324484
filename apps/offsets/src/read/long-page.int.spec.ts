import { Cursors } from '@carbon/paging';
import { TestDatabase } from '../test-database.js';
import { pool } from '../test-events.js';
import { ListOffsets } from './list-offsets.js';
import { readListQuestion } from './list-parameters.js';

const LINES = 1_600;

describe('a page of offsets that were retired from very many assets', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create();
  });
  afterAll(() => test.close());

  /** Completes an offset of so many lines: a kilogram of each pool. */
  const complete = async (round: number, lines: number) => {
    await test.bring(Array.from({ length: lines }, (_, n) => pool(`r${round}n${n}`, { issued: 0.001 })));
    const createdAt = new Date(Date.now() - 60_000 + round).toISOString();
    const id = await test.wish({ kgCO2e: lines }, { createdAt });
    for (let claim = await test.reserveCredits.run(); claim; claim = await test.reserveCredits.run()) {
      await test.retireOffsets.run(claim);
    }
    expect(await test.outcome(id)).toBe('completed');
    return id;
  };

  it('ends early, with at least one, and its link leads on', async () => {
    const ids: string[] = [];
    for (const [round, lines] of [501, 2_500, LINES, LINES, 1].entries()) ids.unshift(await complete(round, lines));
    const list = new ListOffsets(test.ownRows, new Cursors(['c'.repeat(32)]));
    const pages: string[][] = [];
    for (let url: string | undefined = '/v1/offsets?limit=100'; url !== undefined; ) {
      const { offsets, link } = await list.run('default', readListQuestion(url));
      pages.push(offsets.map(({ id }) => id));
      for (const { creditsMatched, credits } of offsets) expect(creditsMatched).toBe(credits);
      url = /^<([^>]+)>/.exec(link ?? '')?.[1];
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 3), ids.slice(3, 4), ids.slice(4)]);
  });
});
