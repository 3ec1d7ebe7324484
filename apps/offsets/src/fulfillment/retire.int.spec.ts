import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { chain, chainStart } from '../domain/ledger-chain.js';
import { BuiltInRegistry, type RegistryAnswer, type RetirementOrder } from '../registry/registry.js';
import { TestDatabase } from '../testing/database.js';
import { pool } from '../testing/events.js';
import { verifyAgain, verifyAnotherServer } from '../testing/open-database.js';
import { claimReserved } from './claim.js';
import { lockLeased } from './lease.js';

/** A registry that answers when the test says so. */
class SlowRegistry extends BuiltInRegistry {
  private readonly calledOnce = Promise.withResolvers<void>();
  private readonly answer = Promise.withResolvers<void>();
  readonly wasAsked = this.calledOnce.promise;
  readonly letAnswer = this.answer.resolve;

  override async retire(order: RetirementOrder): Promise<RegistryAnswer> {
    this.calledOnce.resolve();
    await this.answer.promise;
    return super.retire(order);
  }
}

let test: TestDatabase;
const errors: unknown[][] = [];
beforeAll(() => {
  Logger.overrideLogger({ log: () => {}, warn: () => {}, error: (...line: unknown[]) => void errors.push(line) });
});
beforeEach(async () => {
  errors.length = 0;
  test = await TestDatabase.create();
  await test.recordAssets([pool('a', { price: 5, issued: 1 }), pool('b', { price: 20 })]);
});
afterEach(() => test.close());

const expire = () =>
  test.sql.query(`UPDATE offsets SET lease_until = now() - interval '1 s' WHERE lease_token IS NOT NULL`);

describe('retiring offsets', () => {
  const reserve = () => test.reserveCredits.run();
  const retire = async (retirer = test.retireOffsets) => {
    await retirer.run();
    await retirer.idle();
  };

  it('writes ledger, supply, offset and event in one transaction', async () => {
    const [id = ''] = await test.queue(1_234.5);
    await reserve();
    await retire();
    const [offset] = await test.rows<{ completed_at: Date }>('SELECT * FROM offsets');
    expect(offset).toMatchObject({ status: 'completed', cost_micros: '9690000', lease_token: null, lease_until: null });
    const at = offset?.completed_at.toISOString() ?? '';
    const lines = [
      chain(chainStart('pool_a'), { asset: 'pool_a', offset: id, grams: 1_000_000n, priceMicros: 5_000_000n, at }),
      chain(chainStart('pool_b'), { asset: 'pool_b', offset: id, grams: 234_500n, priceMicros: 20_000_000n, at }),
    ];
    expect(await test.rows('SELECT asset_id, grams, hash FROM ledger ORDER BY asset_id')).toEqual(
      lines.map(({ asset, grams, hash }) => ({ asset_id: asset, grams: String(grams), hash })),
    );
    expect(await test.rows('SELECT reserved, retired FROM supply ORDER BY asset_id')).toEqual([
      { reserved: '0', retired: '1000000' },
      { reserved: '0', retired: '234500' },
    ]);
    expect(await test.rows('SELECT * FROM reservations')).toEqual([]);
    const [event] = await test.rows('SELECT event_id, type, payload, traceparent FROM outbox');
    expect(event).toMatchObject({
      event_id: `${id}.offset.completed.v1`,
      traceparent: expect.stringMatching(/^00-/),
      payload: {
        id,
        grams: '1234500',
        costMicros: '9690000',
        completedAt: at,
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        retirements: [{}, {}],
      },
    });
  });

  it('continues each chain where the last batch ended', async () => {
    for (const kg of [10, 20, 30]) {
      await test.queue(kg, kg);
      await reserve();
      await retire();
    }
    const entries = await test.rows<{ sequence: string }>('SELECT sequence FROM ledger ORDER BY sequence');
    expect(entries.map(({ sequence }) => sequence)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it.each([
    ['missing', 'DELETE FROM reservations WHERE offset_id = $1'],
    ['too small', 'UPDATE reservations SET grams = grams - 1 WHERE offset_id = $1'],
  ])('does not complete an offset whose reservation is %s, and completes the others', async (_, damage) => {
    const [, damaged = ''] = await test.queue(1, 2, 3);
    await reserve();
    await test.sql.query(damage, [damaged]);
    await retire();
    expect(await test.counts()).toEqual({ completed: 2, processing: 1 });
    expect(await test.rows('SELECT * FROM ledger WHERE offset_id = $1', [damaged])).toEqual([]);
  });

  it('does not claim what another worker has leased, until the lease ends', async () => {
    await test.queue(1);
    await reserve();
    await test.database.transaction((query) => claimReserved(query, { limit: 1, isExternal: false, maxWaitMs: 0 }));
    await retire();
    expect(await test.counts()).toEqual({ processing: 1 });
    await expire();
    await retire();
    expect(await test.counts()).toEqual({ completed: 1 });
  });

  it('tells the leases of two claims apart', async () => {
    await test.queue(1, 2);
    await reserve();
    const claim = () =>
      test.database.transaction((query) => claimReserved(query, { limit: 1, isExternal: false, maxWaitMs: 0 }));
    const [first, second] = [await claim(), await claim()];
    const [offset = '', other = ''] = [first, second].map(({ orders }) => orders[0]?.offset);
    const stale = { offset, token: second.token };
    const locked = await test.database.transaction((query) =>
      lockLeased(query, [stale, { offset: other, token: second.token }]),
    );
    expect(locked.map(({ id }) => id)).toEqual([other]);
  });

  it('changes nothing when it resumes after another worker has claimed its offsets', async () => {
    await test.queue(1, 2);
    const [first, second] = [new SlowRegistry(), new SlowRegistry()];
    await reserve();
    const paused = retire(test.retiring(first));
    await first.wasAsked;
    await expire();
    const taker = retire(test.retiring(second));
    await second.wasAsked;
    const before = await test.contents();
    first.letAnswer();
    await paused;
    expect(await test.contents()).toEqual(before);
    second.letAnswer();
    await taker;
    expect(await test.counts()).toEqual({ completed: 2 });
  });

  it('renews its lease for as long as the registry takes', async () => {
    await test.queue(1);
    const registry = new SlowRegistry();
    await reserve();
    const slow = retire(test.retiring(registry));
    await registry.wasAsked;
    const until = async () =>
      (await test.rows<{ lease_until: Date }>('SELECT lease_until FROM offsets'))[0]?.lease_until;
    const atFirst = await until();
    await eventually(async () => expect((await until())?.getTime()).toBeGreaterThan(atFirst?.getTime() ?? Infinity));
    registry.letAnswer();
    await slow;
    expect(await test.counts()).toEqual({ completed: 1 });
  });

  it('leaves an offset in processing when the registry does not know its outcome', async () => {
    const [known = ''] = await test.queue(1, 2);
    class ForgetfulRegistry extends BuiltInRegistry {
      override async retire({ offset }: RetirementOrder): Promise<RegistryAnswer> {
        return offset === known ? { outcome: 'retired' } : { outcome: 'unknown', reason: 'forgotten' };
      }
    }
    await reserve();
    await retire(test.retiring(new ForgetfulRegistry()));
    expect(await test.counts()).toEqual({ completed: 1, processing: 1 });
    await expire();
    await retire();
    expect(await test.counts()).toEqual({ completed: 2 });
  });

  it('completes the other offsets when one cannot be completed', async () => {
    await test.queue(...Array.from({ length: 9 }, () => 125));
    await reserve();
    // The supply was modified by hand: the reserved credits of the second pool are missing.
    await test.sql.query(`UPDATE supply SET reserved = 0 WHERE asset_id = 'pool_b'`);
    await retire();
    expect(await test.counts()).toEqual({ completed: 8, processing: 1 });
    await test.sql.query(`UPDATE supply SET reserved = 125000 WHERE asset_id = 'pool_b'`);
    await expire();
    await retire();
    expect(await test.counts()).toEqual({ completed: 9 });
  });
});

describe('claiming reserved offsets', () => {
  /** Offsets whose worker was killed. */
  const left = async (...kilograms: number[]) => {
    const ids = await test.queue(...kilograms);
    await test.reserveCredits.run();
    await expire();
    return ids;
  };
  const claim = (maxWaitMs = 0) =>
    test.database.transaction((query) => claimReserved(query, { limit: 500, isExternal: false, maxWaitMs }));

  it('claims fewer offsets where they have very many lines, and the others the next time', async () => {
    await left(1, 2, 3);
    await test.sql.query(
      `INSERT INTO reservations (offset_id, asset_id, grams, price_micros)
       SELECT id, 'pool_x' || n, 1, 1 FROM offsets, generate_series(1, 3000) AS n`,
    );
    expect((await claim()).orders.map(({ lines }) => lines.length)).toEqual([3_001, 3_001]);
    expect((await claim()).orders.map(({ lines }) => lines.length)).toEqual([3_001]);
  });

  it('claims what was leased before the clock of PostgreSQL was set back, and no offset that waits for its next attempt', async () => {
    const [held, aside] = await left(1, 2);
    const until = 'UPDATE offsets SET lease_until = now() + $2::interval WHERE id = $1';
    await test.sql.query(until, [held, '1 h']);
    await test.sql.query(until, [aside, '9 min']);
    expect((await claim(600_000)).orders.map(({ offset }) => offset)).toEqual([held]);
  });

  it('claims nothing on a server that was not verified, because the server may have forgotten attempts', async () => {
    await left(1);
    verifyAnotherServer(test.database);
    expect((await claim()).orders).toEqual([]);
    await verifyAgain(test.database);
    expect((await claim()).orders).toHaveLength(1);
  });

  it('logs an offset without reservations, and claims the others', async () => {
    const [bare, whole] = await left(1, 2);
    await test.sql.query('DELETE FROM reservations WHERE offset_id = $1', [bare]);
    expect((await claim()).orders.map(({ offset }) => offset)).toEqual([whole]);
    expect(errors).toEqual([[expect.stringContaining('has no reservations'), { id: bare }, 'Claim']]);
  });
});
