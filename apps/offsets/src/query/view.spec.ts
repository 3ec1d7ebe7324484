import { offsetView as schema } from '@carbon/contracts';
import type { OffsetEntity } from '../persistence/offset.entity.js';
import { ids } from '../testing/events.js';
import { awaitRecorded } from './await-recorded.js';
import { offsetView } from './offset-view.js';

const QUEUED: OffsetEntity = {
  id: 'off_00000000000000000000000001',
  account: 'default',
  status: 'queued',
  kgCO2e: 1234.5,
  grams: '1234500',
  fingerprint: '',
  estimateId: null,
  customerRef: null,
  traceparent: null,
  costMicros: null,
  failureCode: null,
  failureDetail: null,
  createdAt: new Date('2026-11-21T08:00:00.000Z'),
  updatedAt: new Date('2026-11-21T08:00:00.010Z'),
  completedAt: null,
  failedAt: null,
  announcedAt: null,
  leaseToken: null,
  leaseUntil: null,
  processingAt: null,
  registryAttempts: 0,
};

describe('an offset as clients see it', () => {
  it('has no absent members when it is queued', () => {
    const view = offsetView(QUEUED, []);
    expect(schema.parse(view)).toEqual(view);
    expect(view).toEqual({
      id: QUEUED.id,
      status: 'queued',
      kgCO2e: 1234.5,
      credits: 1.2345,
      creditsMatched: 0,
      retirements: [],
      createdAt: '2026-11-21T08:00:00.000Z',
      updatedAt: '2026-11-21T08:00:00.010Z',
    });
  });

  it('has its cost from processing on', () => {
    const view = offsetView({ ...QUEUED, status: 'processing', costMicros: '12345670' }, []);
    expect(view).toMatchObject({ cost: 12.34567, currency: 'USD', creditsMatched: 0, retirements: [] });
  });

  it('has the failure, and no cost', () => {
    const failedAt = new Date('2026-11-21T08:00:01.000Z');
    const failure = { failureCode: 'insufficient_supply', failureDetail: 'Too little.' };
    const view = offsetView({ ...QUEUED, ...failure, status: 'failed', failedAt, updatedAt: failedAt }, []);
    expect(schema.parse(view)).toEqual(view);
    expect(view).toMatchObject({
      failure: { code: 'insufficient_supply', detail: 'Too little.' },
      failedAt: '2026-11-21T08:00:01.000Z',
    });
    expect(view).not.toHaveProperty('cost');
  });
});

const SECONDS = 1_000;

/** Counts the lookups of an id until the third one succeeds or the wait ends. */
async function looksFor(id: string): Promise<number> {
  let looks = 0;
  await awaitRecorded(id, async () => (++looks < 3 ? undefined : 'recorded'));
  return looks;
}

describe('a lookup of an offset that is not recorded', () => {
  it.each([
    ['its id is new', () => ids.mint('off', 'default')],
    ['the clock of the process that made its id is ahead', () => ids.mint('off', 'default', Date.now() + 60 * SECONDS)],
    ['its id contains no time', () => ids.fromKey('default', 'order-7')],
  ])('waits when %s', async (_, id) => expect(await looksFor(id())).toBe(3));

  it('looks once when the id is old', async () => {
    expect(await looksFor(ids.mint('off', 'default', Date.now() - 60 * SECONDS))).toBe(1);
  });
});
