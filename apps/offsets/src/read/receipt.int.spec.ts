import { createHash } from 'node:crypto';
import { type RetirementReceiptView, retirementReceiptView } from '@carbon/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pool, request } from '../test-events.js';
import { asks, TestService } from '../test-service.js';

describe('GET /v1/retirements', () => {
  let service: TestService;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a', { price: 5.000001, issued: 1 }), pool('b', { price: 1e6, issued: 1e9 })]);
    app = await service.start();
  });
  afterAll(() => service.close());

  const get = (query: string, account: string | null = 'default') =>
    app.inject({ url: `/v1/retirements${query}`, headers: asks(account) });
  const receiptOf = async (id: string): Promise<RetirementReceiptView> => {
    const answer = await get(`?offset=${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    return retirementReceiptView.parse(answer.json());
  };

  /** As docs/registry.md tells a client to, with nothing of ours. */
  const decimals = (number: number) => String(Math.round(number * 1e6));
  const recomputed = (offset: string, { asset, sequence, credits, price, at, previousHash }: Entry) => {
    const grams = decimals(credits);
    const text = JSON.stringify({ asset, at, grams, offset, priceMicros: decimals(price), sequence: String(sequence) });
    return createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(text).digest('hex');
  };
  type Entry = RetirementReceiptView['entries'][number];

  it('gives entries of which each hash can be computed again, back to the beginning of each chain', async () => {
    const offsetRequests = [0.001, 1_500, 123_456_789.123, 999_999_999].map((kgCO2e) => request({ kgCO2e }));
    for (const offsetRequest of offsetRequests) {
      await service.publishRequests([offsetRequest]);
      expect(await service.settled(app, offsetRequest.id)).toMatchObject({ status: 'completed' });
    }
    const ends = new Map<string, string>();
    for (const { id, grams } of offsetRequests) {
      const { offset, entries } = await receiptOf(id);
      expect(offset).toBe(id);
      for (const entry of entries) {
        const start = createHash('sha256').update(entry.asset).digest('hex');
        expect(entry.previousHash).toBe(ends.get(entry.asset) ?? start);
        expect(entry.hash).toBe(recomputed(id, entry));
        ends.set(entry.asset, entry.hash);
      }
      const said = entries.reduce((sum, { credits }) => sum + BigInt(decimals(credits)), 0n);
      expect(String(said)).toBe(grams);
    }
    expect([...ends.keys()]).toEqual(['pool_a', 'pool_b']);
  });

  it('gives the hashes that were announced', async () => {
    const offsetRequest = request({ kgCO2e: 7 });
    await service.publishRequests([offsetRequest]);
    await service.settled(app, offsetRequest.id);
    const { entries } = await receiptOf(offsetRequest.id);
    const [event] = await service.rows<{ payload: { retirements: object[] } }>(
      `SELECT payload FROM outbox WHERE offset_id = $1`,
      [offsetRequest.id],
    );
    expect(event?.payload.retirements).toMatchObject(
      entries.map(({ asset, sequence, hash }) => ({ asset, sequence: String(sequence), hash })),
    );
  });

  it('has no entries until the offset is completed, and none when it failed', async () => {
    const failed = request({ kgCO2e: 1e12 });
    await service.publishRequests([failed]);
    expect(await receiptOf(failed.id)).toEqual({ offset: failed.id, entries: [] });
    expect(await service.settled(app, failed.id)).toMatchObject({ status: 'failed' });
    expect(await receiptOf(failed.id)).toEqual({ offset: failed.id, entries: [] });
  });

  it('shows how an external registry knows the retirement', async () => {
    const offsetRequest = request({ kgCO2e: 8 });
    await service.record(app, [offsetRequest]);
    await service.settled(app, offsetRequest.id);
    expect((await receiptOf(offsetRequest.id)).entries[0]).not.toHaveProperty('reference');
    await service.sql.query(
      `ALTER TABLE ledger DISABLE TRIGGER ALL; UPDATE ledger SET registry_reference = 'R-1' WHERE offset_id = '${offsetRequest.id}';
       ALTER TABLE ledger ENABLE TRIGGER ALL`,
    );
    expect((await receiptOf(offsetRequest.id)).entries).toMatchObject([{ asset: 'pool_b', reference: 'R-1' }]);
  });

  it('waits for an offset that is not recorded, at most 1 s, then says 404; likewise to another account', async () => {
    const theirs = request({ kgCO2e: 1 }, { account: 'theirs' });
    await service.record(app, [theirs]);
    const times: number[] = [];
    for (const id of [request({ kgCO2e: 1 }).id, theirs.id]) {
      const begin = performance.now();
      const answer = await get(`?offset=${id}`);
      times.push(performance.now() - begin);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'not_found' });
    }
    expect(Math.min(...times)).toBeGreaterThan(900);
    expect(Math.min(...times)).toBeLessThan(2_000);
  });

  it('gives no receipt of a chain that has lost a link', async () => {
    const offsetRequests = [1, 2].map((kgCO2e) => request({ kgCO2e }));
    for (const offsetRequest of offsetRequests) {
      await service.publishRequests([offsetRequest]);
      await service.settled(app, offsetRequest.id);
    }
    await service.sql.query(
      `ALTER TABLE ledger DISABLE TRIGGER ALL; DELETE FROM ledger WHERE offset_id = '${offsetRequests[0]?.id}';
       ALTER TABLE ledger ENABLE TRIGGER ALL`,
    );
    expect((await get(`?offset=${offsetRequests[1]?.id}`)).statusCode).toBe(500);
  });

  it('gives a receipt that continues the last hash of a marked gap', async () => {
    const offsetRequest = request({ kgCO2e: 3 });
    const hash = 'ab'.repeat(32);
    await service.sql.query(
      `INSERT INTO ledger_gaps (asset_id, first_sequence, last_sequence, last_hash)
       SELECT 'pool_b', max(sequence) + 1, max(sequence) + 2, decode('${hash}', 'hex') FROM ledger WHERE asset_id = 'pool_b'`,
    );
    await service.publishRequests([offsetRequest]);
    await service.settled(app, offsetRequest.id);
    const { entries } = await receiptOf(offsetRequest.id);
    expect(entries).toMatchObject([{ asset: 'pool_b', previousHash: hash }]);
    for (const entry of entries) expect(entry.hash).toBe(recomputed(offsetRequest.id, entry));
  });

  it.each([
    ['', 'offset', 'missing_parameter'],
    ['?offset=', 'offset', 'invalid_parameter'],
    ['?offset=off_1', 'offset', 'invalid_parameter'],
    ['?offset=off_00000000000000000000000001&offset=off_00000000000000000000000001', 'offset', 'duplicate_parameter'],
    ['?offset=off_00000000000000000000000001&limit=1', 'limit', 'unknown_parameter'],
  ])('says what is wrong with %s', async (query, field, code) => {
    const answer = await get(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
  });
});
