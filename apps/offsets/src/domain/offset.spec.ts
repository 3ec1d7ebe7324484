import { createHash } from 'node:crypto';
import {
  canonicalJson,
  fingerprint,
  OFFSET_STATUSES,
  type OffsetStatus,
  offsetCompletedV1,
  offsetFailedV1,
} from '@carbon/contracts';
import fc from 'fast-check';
import { requestRejected, supplyShortage } from './failure.js';
import { MAX_LINES } from './inventory.js';
import { chain, chainStart, type Retirement } from './ledger-chain.js';
import type { OffsetRow } from './offset-row.js';
import { IllegalTransition, TRANSITIONS, transitionOf, transitionsAlong } from './offset-status.js';
import { completedEvent, failedEvent } from './outcome-events.js';

const from = (status: OffsetStatus) => TRANSITIONS.filter((transition) => transition.from === status);

describe('the states of an offset', () => {
  it('can all be reached from queued', () => {
    const reached = new Set<OffsetStatus>(['queued']);
    // Iterating a set includes the items that are added meanwhile.
    for (const status of reached) for (const { to } of from(status)) reached.add(to);
    expect([...reached].sort()).toEqual([...OFFSET_STATUSES].sort());
  });

  it('end in completed and failed, and nowhere else', () => {
    expect(OFFSET_STATUSES.filter((status) => from(status).length === 0)).toEqual(['completed', 'failed']);
  });

  it('never go back', () => {
    for (const transition of TRANSITIONS) {
      expect(OFFSET_STATUSES.indexOf(transition.to)).toBeGreaterThan(OFFSET_STATUSES.indexOf(transition.from));
    }
  });

  it('each have the one date at which they were reached', () => {
    for (const { to, date } of TRANSITIONS) expect(date).toBe(`${to}_at`);
  });

  it('have no transitions except those in the table, and the error names the transition', () => {
    for (const one of OFFSET_STATUSES) {
      for (const other of OFFSET_STATUSES) {
        const transition = TRANSITIONS.find(({ from, to }) => from === one && to === other);
        if (transition) expect(transitionOf(one, other)).toBe(transition);
        else expect(() => transitionOf(one, other)).toThrow(new IllegalTransition(one, other));
      }
    }
    expect(() => transitionOf('completed', 'queued')).toThrow('An offset cannot move from completed to queued.');
  });

  it('may be passed through one after the other by transitions of the table', () => {
    expect(transitionsAlong('queued', 'processing', 'completed')).toEqual([
      transitionOf('queued', 'processing'),
      transitionOf('processing', 'completed'),
    ]);
    expect(() => transitionsAlong('queued', 'completed')).toThrow(IllegalTransition);
    expect(() => transitionsAlong('queued', 'processing', 'queued')).toThrow(
      new IllegalTransition('processing', 'queued'),
    );
  });
});

describe('the events of an outcome', () => {
  const OFFSET: OffsetRow = {
    id: 'off_00000000000000000000000001',
    account: 'default',
    kgCO2e: 1.5,
    grams: 1_500n,
    fingerprint: fingerprint({ kgCO2e: 1.5, customerRef: 'u-1' }),
    estimateId: null,
    customerRef: 'u-1',
    traceparent: null,
    createdAt: new Date('2026-11-21T08:00:00.000Z'),
    processingAt: null,
    costMicros: 1_500n,
    failure: null,
  };
  const AT = new Date('2026-11-21T08:00:01.000Z');
  const entryOf = (grams: bigint, priceMicros: bigint) =>
    chain(chainStart('pool_a'), { asset: 'pool_a', offset: OFFSET.id, grams, priceMicros, at: AT.toISOString() });

  it('say what was retired, at what cost, under which hash', () => {
    const entry = entryOf(1_500n, 1_000_333n);
    const event = completedEvent(OFFSET, [entry], AT, 'R-1');
    expect(offsetCompletedV1.parse(event)).toEqual(event);
    expect(event).toMatchObject({ grams: '1500', costMicros: '1500', currency: 'USD', customerRef: 'u-1' });
    expect(event).toMatchObject({ fingerprint: OFFSET.fingerprint, registryReference: 'R-1' });
    expect(event.retirements).toEqual([
      {
        ...{ asset: 'pool_a', grams: '1500', priceMicros: '1000333', costMicros: '1500', sequence: '1' },
        hash: entry.hash.toString('hex'),
        previousHash: chainStart('pool_a').hash.toString('hex'),
      },
    ]);
  });

  it('say why an offset failed, and leave out absent members', () => {
    const event = failedEvent(OFFSET, supplyShortage(0n), AT);
    expect(offsetFailedV1.parse(event)).toEqual(event);
    expect(event.fingerprint).toBe(OFFSET.fingerprint);
    expect(Object.keys(event)).not.toContain('estimateId');
  });

  it('leave out previous hashes when they would not fit', () => {
    const entries = Array.from({ length: MAX_LINES + 1 }, () => entryOf(1n, 1n));
    const { retirements } = completedEvent(OFFSET, entries, AT);
    expect(retirements).toHaveLength(entries.length);
    for (const line of retirements) expect(line).not.toHaveProperty('previousHash');
  });

  it('fit into a message, however many and large the lines are', () => {
    const hash = Buffer.alloc(32);
    const amounts = { grams: 10n ** 15n, priceMicros: 10n ** 12n, sequence: 10n ** 15n, hash, previousHash: hash };
    const entry = { ...entryOf(1n, 1n), ...amounts, asset: `proj_${'x'.repeat(64)}` };
    const longest = '\u{1f333}'.repeat(256);
    const texts = { account: 'a'.repeat(64), estimateId: longest, customerRef: longest };
    const offset = { ...OFFSET, ...texts, kgCO2e: 1e12, grams: 10n ** 15n, costMicros: 10n ** 21n };
    const event = completedEvent(
      offset,
      Array.from({ length: MAX_LINES }, () => entry),
      AT,
      longest,
    );
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(1_000_000);
  });

  it('can be of an offset whose weight could not be read', () => {
    const event = failedEvent({ ...OFFSET, kgCO2e: 0 }, requestRejected('kgCO2e: too small'), AT);
    expect(offsetFailedV1.parse(event)).toEqual(event);
  });
});

const FIRST: Retirement = {
  asset: 'pool_bct',
  offset: 'off_00000000000000000000000001',
  grams: 1_234_500n,
  priceMicros: 1_250_000n,
  at: '2026-11-21T08:00:00.000Z',
};
const SECOND: Retirement = {
  asset: 'pool_bct',
  offset: 'off_00000000000000000000000002',
  grams: 9_007_199_254_740_993n,
  priceMicros: 0n,
  at: '2026-11-21T08:00:00.001Z',
};

describe('the hash chain of an asset', () => {
  it('has the hashes that another program computed, beginning with that of its id', () => {
    const start = chainStart('pool_bct');
    const first = chain(start, FIRST);
    const second = chain(first, SECOND);
    expect([start, first, second].map(({ sequence, hash }) => [sequence, hash.toString('hex')])).toEqual([
      [0n, '7f89e9d07b0288df6752f72ffa0d6d54f5f6f5c1c5957889e5c543e0c1fe2031'],
      [1n, 'dabeb90c581c9e0848d888359be03d993c9f70413aa10d0efc1bdbded8c407f4'],
      [2n, '9c03fad76e68ceafbf6ef84f4d0694bedcc7059102ec157994f8c59078f0fb62'],
    ]);
  });

  it('hashes the bytes of the previous hash, then the entry as canonical JSON', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    const text = fc.string({ unit: 'grapheme' });
    const retirement = fc.record({ asset: text, offset: text, grams: amount, priceMicros: amount, at: text });
    fc.assert(
      fc.property(retirement, amount, (one, sequence) => {
        const head = { ...chainStart(one.asset), sequence };
        const words = {
          ...one,
          grams: `${one.grams}`,
          priceMicros: `${one.priceMicros}`,
          sequence: `${sequence + 1n}`,
        };
        const due = createHash('sha256').update(head.hash).update(canonicalJson(words)).digest('hex');
        expect(chain(head, one).hash.toString('hex')).toBe(due);
      }),
    );
  });
});
