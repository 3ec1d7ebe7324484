import { preference } from '../domain/test-preference.js';
import { audit } from '../ledger-cli/audit.js';
import { inSnapshot } from '../ledger-cli/snapshot.js';
import type { Database } from '../persistence/database.js';
import { SettleAnswers } from '../retire/settle-answers.js';
import { TestDatabase } from '../test-database.js';
import { ids, pool } from '../test-events.js';
import { ReserveCredits } from './reserve-credits.js';

const DAY_MS = 24 * 3_600_000;

describe('an offset that names an estimate', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await TestDatabase.create();
    await test.bring([pool('a', { price: 2, issued: 1 }), pool('b', { price: 3 }), pool('c', { price: 4 })]);
  });
  afterEach(async () => {
    expect((await inSnapshot(test.url, audit)).faults).toEqual([]);
    await test.close();
  });

  /** Decides everything that is queued, and retires it. */
  const drain = async () => {
    for (let claim = await test.reserveCredits.run(); claim; claim = await test.reserveCredits.run()) {
      await test.retireOffsets.run(claim);
    }
  };
  const settle = async (...wished: Promise<string>[]) => {
    const offsets: string[] = [];
    for (const one of wished) offsets.push(await one);
    await drain();
    return Promise.all(offsets.map((id) => test.outcome(id)));
  };
  /** Accepted a minute ago, in this order, whatever the order in which they are recorded. */
  const begin = Date.now() - 60_000;
  const accepted = (place: number) => ({ createdAt: new Date(begin + place).toISOString() });
  const ledger = () => test.rows('SELECT asset_id, grams, price_micros FROM ledger ORDER BY asset_id');
  const nothingRetired = async () => {
    expect(await test.rows('SELECT sum(reserved + retired)::integer AS taken FROM supply')).toEqual([{ taken: 0 }]);
    expect(await test.rows('SELECT * FROM reservations')).toEqual([]);
  };

  it('is retired at its prices from its assets, whatever they cost by then', async () => {
    const estimateId = await test.estimate(1_500);
    await test.bring([pool('a', { price: 9, issued: 1 }), pool('b', { price: 8 }), pool('c', { price: 1 })]);
    expect(await settle(test.wish({ kgCO2e: 1_500, estimateId }))).toEqual(['completed']);
    expect(await ledger()).toEqual([
      { asset_id: 'pool_a', grams: '1000000', price_micros: '2000000' },
      { asset_id: 'pool_b', grams: '500000', price_micros: '3000000' },
    ]);
    expect(await test.rows('SELECT cost_micros FROM offsets')).toEqual([{ cost_micros: '3500000' }]);
  });

  it('is retired from the one asset that was asked for, however little it is preferred', async () => {
    await test.bring(Array.from({ length: 60 }, (_, n) => pool(`cheap${n}`, { price: 0.5, issued: 1 })));
    const estimateId = await test.estimate(700, { asset: 'pool_c' });
    expect(await settle(test.wish({ kgCO2e: 700, estimateId }), test.wish({ kgCO2e: 20_000 }))).toEqual([
      'completed',
      'completed',
    ]);
    const [dear] = await test.rows(`SELECT grams FROM ledger WHERE asset_id = 'pool_c'`);
    expect(dear).toEqual({ grams: '700000' });
    expect(await test.rows(`SELECT count(*)::integer AS n FROM ledger WHERE price_micros = 500000`)).toEqual([
      { n: 20 },
    ]);
  });

  it('fails with estimate_not_found when nobody has such an estimate, or its text is no id at all', async () => {
    const unknown = ids.mint('est', 'default');
    expect(
      await settle(
        test.wish({ kgCO2e: 1, estimateId: unknown }),
        test.wish({ kgCO2e: 1, estimateId: '{"} est, NULL' }),
      ),
    ).toEqual(['estimate_not_found', 'estimate_not_found']);
    await nothingRetired();
  });

  it('fails with estimate_not_found when another account has it, and leaves it to that one', async () => {
    const estimateId = await test.estimate(1_000, { account: 'acme' });
    expect(await settle(test.wish({ kgCO2e: 1_000, estimateId }))).toEqual(['estimate_not_found']);
    await nothingRetired();
    expect(await settle(test.wish({ kgCO2e: 1_000, estimateId }, { account: 'acme' }))).toEqual(['completed']);
  });

  it('fails with estimate_expired when it was accepted more than 5 s after the expiry, not when it is served later', async () => {
    const createdAt = new Date(Date.now() - 2 * DAY_MS);
    const late = (ms: number) => ({ createdAt: new Date(createdAt.getTime() + DAY_MS + ms).toISOString() });
    const [expired, inTime] = [await test.estimate(100, { createdAt }), await test.estimate(100, { createdAt })];
    expect(
      await settle(
        test.wish({ kgCO2e: 100, estimateId: expired }, late(5_001)),
        test.wish({ kgCO2e: 100, estimateId: inTime }, late(5_000)),
      ),
    ).toEqual(['estimate_expired', 'completed']);
  });

  it('fails with estimate_mismatch when it is for another weight', async () => {
    const estimateId = await test.estimate(100);
    expect(await settle(test.wish({ kgCO2e: 100.001, estimateId }), test.wish({ kgCO2e: 99.999, estimateId }))).toEqual(
      ['estimate_mismatch', 'estimate_mismatch'],
    );
    await nothingRetired();
  });

  it('fails with estimate_used when another one is being processed or is completed by it', async () => {
    const estimateId = await test.estimate(100);
    await test.wish({ kgCO2e: 100, estimateId });
    const claim = await test.reserveCredits.run();
    expect(await settle(test.wish({ kgCO2e: 100, estimateId }))).toEqual(['estimate_used']);
    if (claim) await test.retireOffsets.run(claim);
    expect(await settle(test.wish({ kgCO2e: 100, estimateId }))).toEqual(['estimate_used']);
    expect(await test.counts()).toEqual({ completed: 1, failed: 2 });
  });

  it('fails with estimate_used when an older one of the same batch names it; the rest of the batch is served', async () => {
    const estimateId = await test.estimate(100);
    expect(
      await settle(
        test.wish({ kgCO2e: 100, estimateId }, accepted(2)),
        test.wish({ kgCO2e: 100, estimateId }, accepted(1)),
        test.wish({ kgCO2e: 100, estimateId }, accepted(3)),
        test.wish({ kgCO2e: 5 }, accepted(4)),
      ),
    ).toEqual(['estimate_used', 'completed', 'estimate_used', 'completed']);
  });

  it('may name one whose other offset failed, in the same batch or before', async () => {
    const [one, other] = [await test.estimate(100), await test.estimate(200)];
    await settle(test.wish({ kgCO2e: 7, estimateId: other }));
    expect(
      await settle(
        test.wish({ kgCO2e: 101, estimateId: one }, accepted(1)),
        test.wish({ kgCO2e: 100, estimateId: one }, accepted(2)),
        test.wish({ kgCO2e: 200, estimateId: other }, accepted(3)),
      ),
    ).toEqual(['estimate_mismatch', 'completed', 'completed']);
  });

  it('may name one whose other offset the registry refused', async () => {
    const estimateId = await test.estimate(100);
    const refused = await test.wish({ kgCO2e: 100, estimateId });
    const token = (await test.reserveCredits.run())?.token ?? '';
    const answer = { outcome: 'refused', detail: 'No.' } as const;
    await new SettleAnswers(test.database, test.bells).run([{ offset: refused, token, answer, lines: 1 }]);
    expect(await test.outcome(refused)).toBe('registry_refused');
    expect(await settle(test.wish({ kgCO2e: 100, estimateId }))).toEqual(['completed']);
  });

  it.each([
    ['was withdrawn', { id: 'pool_a', withdrawn: true as const }],
    ['is not active any more', pool('a', { active: false })],
    ['has no price any more', { ...pool('a', { issued: 1 }), price: undefined }],
    ['has no issued supply any more', { ...pool('a', { price: 2 }), issued: undefined }],
    ['is short of a gram', pool('a', { price: 2, issued: 0.999999 })],
  ])('fails with insufficient_supply when an asset of it %s, though others have plenty', async (_, change) => {
    const estimateId = await test.estimate(1_500);
    await test.bring([change]);
    expect(await settle(test.wish({ kgCO2e: 1_500, estimateId }), test.wish({ kgCO2e: 1 }))).toEqual([
      'insufficient_supply',
      'completed',
    ]);
    await test.bring([pool('a', { price: 2, issued: 5 })]);
    expect(await settle(test.wish({ kgCO2e: 1_500, estimateId }))).toEqual(['completed']);
  });

  it('reserves nothing for itself: whoever comes first is served', async () => {
    const estimateId = await test.estimate(1_000, { asset: 'pool_a' });
    expect(await settle(test.wish({ kgCO2e: 1 }))).toEqual(['completed']);
    expect(await settle(test.wish({ kgCO2e: 1_000, estimateId }))).toEqual(['insufficient_supply']);
  });

  it('costs a batch in which nobody names one not a single statement', async () => {
    const asked: string[] = [];
    const transaction: Database['transaction'] = (work) =>
      test.database.transaction((query) => {
        const counted = <Row extends object>(sql: string, parameters?: readonly unknown[]) => {
          asked.push(sql);
          return query<Row>(sql, parameters);
        };
        return work(Object.assign(counted, { fence: query.fence }));
      });
    const counting: Database = Object.create(test.database, { transaction: { value: transaction } });
    const worker = new ReserveCredits(counting, test.bells, preference());
    await test.ask(1, 2, 3);
    await worker.run();
    expect(asked.splice(0)).toEqual([
      expect.stringContaining('FROM offsets'),
      expect.stringContaining('FROM supply'),
      expect.stringContaining('FROM supply'),
      expect.stringContaining('INSERT INTO reservations'),
      expect.stringContaining('UPDATE supply'),
      expect.stringContaining('UPDATE offsets'),
    ]);
    await test.wish({ kgCO2e: 7, estimateId: await test.estimate(7) });
    await worker.run();
    expect(asked).toHaveLength(9);
  });

  it('is told with the reason, by an event that repeats the estimate', async () => {
    const estimateId = ids.mint('est', 'default');
    await settle(test.wish({ kgCO2e: 1, estimateId }));
    expect(await test.rows('SELECT type, payload FROM outbox')).toMatchObject([
      { type: 'offset.failed.v1', payload: { code: 'estimate_not_found', estimateId } },
    ]);
  });
});
