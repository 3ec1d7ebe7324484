import { TestDatabase } from '../test-database.js';
import { pool, request } from '../test-events.js';

const LINES = 1_500;

describe('offsets that name large estimates', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
  });
  afterEach(() => test.close());

  /** Each pool with so many credits. */
  const bring = (issued: number) =>
    test.bring(Array.from({ length: LINES }, (_, n) => pool(`p${n}`, { price: 1 + n, issued })));
  const states = (ids: readonly string[]) => Promise.all(ids.map((id) => test.outcome(id)));

  it('are taken up a few at a time, and do not keep those that name none from being served', async () => {
    await bring(0.001);
    const [first, second] = [await test.estimate(LINES), await test.estimate(LINES)];
    await bring(1);
    const begin = Date.now() - 60_000;
    const accepted = (place: number) => ({ createdAt: new Date(begin + place).toISOString() });
    const large = (estimateId: string, place: number) => request({ kgCO2e: LINES, estimateId }, accepted(place));
    const one = large(first, 0);
    // More than a batch of them, all before the plain one.
    const others = Array.from({ length: 600 }, (_, n) => large(second, 1 + n));
    const plain = request({ kgCO2e: 1 }, accepted(1_000));
    await test.record([one, ...others, plain]);
    const oldest = others[0]?.id ?? '';

    await test.reserveCredits.run();
    expect(await states([one.id, oldest, plain.id])).toEqual(['processing', 'queued', 'processing']);
    expect(await test.counts()).toEqual({ processing: 2, queued: 600 });

    await test.reserveCredits.run();
    expect(await states([oldest])).toEqual(['processing']);
    while ((await test.counts()).queued) await test.reserveCredits.run();
    expect(await test.counts()).toEqual({ processing: 3, failed: 599 });
  });
});
