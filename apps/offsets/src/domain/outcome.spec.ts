import { offsetCompletedV1, offsetFailedV1 } from '@carbon/contracts';
import { INSUFFICIENT_SUPPLY, requestRejected } from './failure.js';
import { chain, chainStart } from './ledger-chain.js';
import { completedEvent, failedEvent } from './outcome.js';
import { MOST_LINES } from './shelf.js';

const OFFSET = {
  id: 'off_00000000000000000000000001',
  account: 'default',
  kgCO2e: 1.5,
  estimateId: null,
  customerRef: 'u-1',
  createdAt: '2026-11-21T08:00:00.000Z',
  fingerprint: 'f'.repeat(64),
};
const AT = '2026-11-21T08:00:01.000Z';

describe('the events of an outcome', () => {
  it('say what was retired, at what cost, under which hash', () => {
    const entry = chain(chainStart('pool_a'), {
      asset: 'pool_a',
      offset: OFFSET.id,
      grams: 1_500n,
      priceMicros: 1_000_333n,
      at: AT,
    });
    const offset = { ...OFFSET, grams: 1_500n, costMicros: 1_500n, reference: 'R-1' };
    const event = completedEvent(offset, [entry], AT);
    expect(offsetCompletedV1.parse(event)).toEqual(event);
    expect(event).toMatchObject({ grams: '1500', costMicros: '1500', currency: 'USD', customerRef: 'u-1' });
    expect(event).toMatchObject({ fingerprint: OFFSET.fingerprint, registryReference: 'R-1' });
    expect(event.retirements).toEqual([
      {
        asset: 'pool_a',
        grams: '1500',
        priceMicros: '1000333',
        costMicros: '1500',
        sequence: '1',
        hash: entry.hash.toString('hex'),
        previousHash: chainStart('pool_a').hash.toString('hex'),
      },
    ]);
  });

  it('say why an offset failed, and leave out what it has not', () => {
    const event = failedEvent(OFFSET, INSUFFICIENT_SUPPLY, AT);
    expect(offsetFailedV1.parse(event)).toEqual(event);
    expect(event.fingerprint).toBe(OFFSET.fingerprint);
    expect(Object.keys(event)).not.toContain('estimateId');
  });

  it('leave the hashes before out where there would be no room for them', () => {
    const entry = chain(chainStart('pool_a'), {
      asset: 'pool_a',
      offset: OFFSET.id,
      grams: 1n,
      priceMicros: 1n,
      at: AT,
    });
    const entries = Array.from({ length: MOST_LINES + 1 }, () => entry);
    const { retirements } = completedEvent({ ...OFFSET, grams: 1_500n, costMicros: 1_500n }, entries, AT);
    expect(retirements).toHaveLength(entries.length);
    for (const line of retirements) expect(line).not.toHaveProperty('previousHash');
  });

  it('can tell of an offset whose weight could not be read', () => {
    const event = failedEvent({ ...OFFSET, kgCO2e: 0 }, requestRejected('kgCO2e: too small'), AT);
    expect(offsetFailedV1.parse(event)).toEqual(event);
  });
});
