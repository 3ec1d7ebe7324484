import { TestDatabase } from '../testing/database.js';
import { conflicting, ids, request } from '../testing/events.js';
import { receivedRequests } from './record-offsets.js';
import { type RequestedRow, requestedRow, requestSchema } from './requests.js';

interface Dates {
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly failed_at: Date | null;
}

/** Far from an hour, and longer than the delays of a busy machine. */
const isAbout = (time: Date | undefined, other: Date) =>
  Math.abs((time?.getTime() ?? 0) - other.getTime()) < 20 * 60_000;

describe('recording offset requests', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.create();
  });
  afterAll(() => test.close());

  const record = (...rows: RequestedRow[]) => test.recordOffsets.run(test.arrivalsOf(...rows));
  const datesOf = async (id: string) =>
    (await test.rows<Dates>('SELECT created_at, updated_at, failed_at FROM offsets WHERE id = $1', [id]))[0];

  it('writes one queued row for each', async () => {
    const body = { kgCO2e: 1234.5, customerRef: 'u "1" \\ {a,b}', estimateId: 'est, NULL' };
    const one = request(body, { account: 'acme' });
    await test.record([one]);
    const [row] = await test.rows('SELECT * FROM offsets WHERE id = $1', [one.id]);
    expect(row).toMatchObject({
      account: 'acme',
      status: 'queued',
      kg_co2e: 1234.5,
      grams: '1234500',
      customer_ref: body.customerRef,
      estimate_id: body.estimateId,
      fingerprint: one.fingerprint,
      created_at: new Date(one.createdAt),
      cost_micros: null,
    });
    expect(row).toHaveProperty('traceparent', expect.stringMatching(/^00-/));
  });

  it('changes nothing when the same request is delivered again, alone, in another batch or twice in one', async () => {
    const [one, other] = [requestedRow(request({ kgCO2e: 1 })), requestedRow(request({ kgCO2e: 2 }))];
    await record(one, other, one);
    const before = await test.contents();
    expect(await record(one)).toEqual([]);
    expect(await record(other, one, other)).toEqual([]);
    expect(await test.contents()).toEqual(before);
  });

  it('rejects another request under a known id, and records the rest of the batch', async () => {
    const [one, other] = [request({ kgCO2e: 1 }), request({ kgCO2e: 3 })];
    await record(requestedRow(one));
    const arrivals = test.arrivals(conflicting(one), other);
    const rejected = await test.recordOffsets.run(arrivals);
    expect(rejected).toMatchObject([{ position: arrivals[0]?.position, code: 'idempotency_conflict' }]);
    const weights = await test.rows('SELECT kg_co2e FROM offsets WHERE id = ANY ($1) ORDER BY 1', [[one.id, other.id]]);
    expect(weights).toEqual([{ kg_co2e: 1 }, { kg_co2e: 3 }]);
  });

  it('rejects the later of two requests under one id within a batch', async () => {
    const one = request({ kgCO2e: 1 });
    const arrivals = test.arrivals(one, conflicting(one), one);
    const rejected = await test.recordOffsets.run(arrivals);
    expect(rejected.map(({ position }) => position)).toEqual([arrivals[1]?.position]);
  });

  it('rejects the same request under the id of another account', async () => {
    const one = request({ kgCO2e: 1 });
    await record(requestedRow(one));
    expect(await record(requestedRow({ ...one, account: 'thief' }))).toHaveLength(1);
  });

  it('records an invalid request as failed, with one event', async () => {
    const one = request({ kgCO2e: 1 });
    const flawed = requestSchema.parse({ ...one, kgCO2e: -1 });
    await record(flawed);
    await record(flawed);
    const [row] = await test.rows('SELECT status, failure_code, kg_co2e FROM offsets WHERE id = $1', [one.id]);
    const payload = { fingerprint: flawed.fingerprint };
    expect(row).toEqual({ status: 'failed', failure_code: 'request_rejected', kg_co2e: 0 });
    expect(await test.rows('SELECT type, event_id, payload FROM outbox WHERE offset_id = $1', [one.id])).toMatchObject([
      { type: 'offset.failed.v1', event_id: `${one.id}.offset.failed.v1`, payload },
    ]);
  });

  it('records everything once when two consumers write the same requests at the same time', async () => {
    const requests = Array.from({ length: 400 }, (_, n) => requestedRow(request({ kgCO2e: n + 1 })));
    const backwards = [...requests].reverse();
    const all = await Promise.all([record(...requests), record(...backwards), record(...requests)]);
    expect(all.flat()).toEqual([]);
    const [row] = await test.rows('SELECT count(*) FROM offsets WHERE id = ANY ($1)', [requests.map(({ id }) => id)]);
    expect(row).toEqual({ count: '400' });
  });

  it.each([
    ['ahead', 1],
    ['behind', -1],
  ])('uses no time of a gateway whose clock is an hour %s', async (_, hours) => {
    const wrong = new Date(Date.now() + hours * 3_600_000);
    const id = ids.generate('off', 'default', wrong.getTime());
    const one = request({ kgCO2e: 1 }, { id, createdAt: wrong.toISOString() });
    const broken = requestSchema.parse({ ...request({ kgCO2e: 1 }, { createdAt: one.createdAt }), grams: 'none' });
    const arrivals = test.arrivalsOf(requestedRow(one), broken);
    const appendedAt = arrivals.map(({ row }) => row.createdAt);
    await test.recordOffsets.run(arrivals);
    const [queued, failed] = [await datesOf(id), await datesOf(broken.id)];
    expect([queued?.created_at, failed?.created_at]).toEqual(appendedAt);
    expect(failed?.failed_at).toEqual(failed?.updated_at);
    for (const row of [queued, failed]) expect(isAbout(row?.updated_at, new Date())).toBe(true);
    const [event] = await test.rows<{ payload: object }>('SELECT payload FROM outbox WHERE offset_id = $1', [
      broken.id,
    ]);
    expect(event?.payload).toMatchObject({
      createdAt: appendedAt[1]?.toISOString(),
      failedAt: failed?.failed_at?.toISOString(),
    });
  });

  it('dates a message that a broker appended in the future by the clock of PostgreSQL', async () => {
    const one = requestSchema.parse({ ...request({ kgCO2e: 1 }), grams: 'none' });
    const message = test.message(one.id, one, new Date(Date.now() + 3_600_000));
    await test.recordOffsets.run(receivedRequests([message]));
    const row = await datesOf(one.id);
    expect([row?.created_at, row?.failed_at]).toEqual([row?.updated_at, row?.updated_at]);
    expect(isAbout(row?.created_at, new Date())).toBe(true);
  });

  it('dates a replayed dead letter by the append time of its original, and never later than the replay', async () => {
    const appendedAt = new Date(Date.now() - 3_600_000);
    const createdAt = async (original: Date, more: Record<string, string> = { 'x-replay-of': 'a letter' }) => {
      const one = requestedRow(request({ kgCO2e: 1 }));
      const headers = { 'x-appended-at': original.toISOString(), ...more };
      const message = { ...test.message(one.id, one, appendedAt), headers };
      await test.recordOffsets.run(receivedRequests([message]));
      return (await datesOf(one.id))?.created_at;
    };
    const dayBefore = new Date(appendedAt.getTime() - 86_400_000);
    expect(await createdAt(dayBefore)).toEqual(dayBefore);
    expect(await createdAt(new Date())).toEqual(appendedAt);
    expect(await createdAt(dayBefore, {})).toEqual(appendedAt);
  });
});
