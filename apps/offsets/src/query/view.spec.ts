import { offsetView as schema } from '@carbon/contracts';
import { RecordedSignal } from '../fulfillment/wake-signal.js';
import { ids } from '../testing/events.js';
import { awaitRecorded } from './await-recorded.js';
import { type OffsetViewRow, offsetView } from './offset-view.js';

const QUEUED: OffsetViewRow = {
  id: 'off_00000000000000000000000001',
  account: 'default',
  status: 'queued',
  kg_co2e: 1234.5,
  grams: '1234500',
  estimate_id: null,
  customer_ref: null,
  cost_micros: null,
  failure_code: null,
  failure_detail: null,
  created_at: new Date('2026-11-21T08:00:00.000Z'),
  updated_at: new Date('2026-11-21T08:00:00.010Z'),
  completed_at: null,
  failed_at: null,
  asset_id: null,
  line_grams: null,
  price_micros: null,
  ticker: null,
  address: null,
  vintages: null,
};

describe('an offset as clients see it', () => {
  it('omits members without a value when it is queued', () => {
    const view = offsetView([QUEUED]);
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
    const view = offsetView([{ ...QUEUED, status: 'processing', cost_micros: '12345670' }]);
    expect(view).toMatchObject({ cost: 12.34567, currency: 'USD', creditsMatched: 0, retirements: [] });
  });

  it('has the failure, and no cost', () => {
    const at = new Date('2026-11-21T08:00:01.000Z');
    const failure = { failure_code: 'insufficient_supply', failure_detail: 'Too little.' };
    const view = offsetView([{ ...QUEUED, ...failure, status: 'failed', failed_at: at, updated_at: at }]);
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
  await awaitRecorded(new RecordedSignal(), id, async () => (++looks < 3 ? undefined : 'recorded'));
  return looks;
}

describe('a lookup of an offset that is not recorded', () => {
  it.each([
    ['its id is new', () => ids.generate('off', 'default')],
    [
      'the clock of the process that made its id is ahead',
      () => ids.generate('off', 'default', Date.now() + 60 * SECONDS),
    ],
    ['its id contains no time', () => ids.fromKey('default', 'order-7')],
  ])('waits when %s', async (_, id) => expect(await looksFor(id())).toBe(3));

  it('looks once when the id is old', async () => {
    expect(await looksFor(ids.generate('off', 'default', Date.now() - 60 * SECONDS))).toBe(1);
  });

  it('is woken when this process records its offset, and not by another one', async () => {
    const [recorded, id, other] = [
      new RecordedSignal(),
      ids.generate('off', 'default'),
      ids.generate('off', 'default'),
    ];
    const woken: string[] = [];
    const waits = [id, other].map((one) => recorded.wait(one, 60 * SECONDS).then(() => woken.push(one)));
    recorded.notify([id]);
    await waits[0];
    expect(woken).toEqual([id]);
    recorded.notify([id, other]);
    await Promise.all(waits);
    expect(woken).toEqual([id, other]);
  });
});
