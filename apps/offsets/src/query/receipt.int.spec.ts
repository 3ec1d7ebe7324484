import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RetirementReceiptView, retirementReceiptView } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pool, request } from '../testing/events.js';
import { TestRegistry } from '../testing/registry.js';
import { callerHeaders, TestService } from '../testing/service.js';

type Entry = RetirementReceiptView['entries'][number];

const PROGRAM = fileURLToPath(new URL('../../../../docs/verify-receipt.mjs', import.meta.url));
const PAGE = readFileSync(new URL('../../../../docs/registry.md', import.meta.url), 'utf8');
const blocksOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

describe('GET /v1/retirements', () => {
  let service: TestService;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([
      pool('a', { price: 5.000001, issued: 1 }),
      pool('b', { price: 1e6, issued: 1e9, vintages: [2015, 2018] }),
    ]);
    app = await service.start();
  });
  afterAll(() => service.close());

  const get = (query: string, account: string | null = 'default') =>
    app.inject({ url: `/v1/retirements${query}`, headers: callerHeaders(account) });
  const receiptOf = async (id: string): Promise<RetirementReceiptView> => {
    const answer = await get(`?offset=${id}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    return retirementReceiptView.parse(answer.json());
  };

  /** Publishes offsets of these weights, each after the previous one is completed. */
  const complete = async (...kilograms: number[]) => {
    const requests = kilograms.map((kgCO2e) => request({ kgCO2e }));
    for (const one of requests) {
      await service.publishRequests([one]);
      expect(await service.settled(app, one.id)).toMatchObject({ status: 'completed' });
    }
    return requests;
  };

  /** Follows docs/registry.md like a client, without our code. */
  const decimals = (number: number) => String(Math.round(number * 1e6));
  const recomputed = (offset: string, { asset, sequence, credits, price, at, previousHash }: Entry) => {
    const grams = decimals(credits);
    const text = JSON.stringify({ asset, at, grams, offset, priceMicros: decimals(price), sequence: String(sequence) });
    return createHash('sha256').update(Buffer.from(previousHash, 'hex')).update(text).digest('hex');
  };

  it('has entries whose hashes can be recomputed, back to the beginning of each chain', async () => {
    const requests = await complete(0.001, 1_500, 123_456_789.123, 999_999_999);
    const ends = new Map<string, string>();
    for (const { id, grams } of requests) {
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
      const [event] = await service.rows<{ payload: { retirements: object[] } }>(
        'SELECT payload FROM outbox WHERE offset_id = $1',
        [id],
      );
      expect(event?.payload.retirements).toMatchObject(
        entries.map(({ asset, sequence, hash }) => ({ asset, sequence: String(sequence), hash })),
      );
    }
    expect([...ends.keys()]).toEqual(['pool_a', 'pool_b']);
  });

  it('is verified with its offset, also at a cost of more digits than a double has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
    const [receiptPath, offsetPath] = [join(folder, 'receipt.json'), join(folder, 'offset.json')];
    const requests = await complete(0.003, 987_654_321.987);
    for (const { id } of requests) {
      writeFileSync(receiptPath, JSON.stringify(await receiptOf(id)));
      writeFileSync(offsetPath, JSON.stringify(await service.settled(app, id)));
      const { stdout } = spawnSync(process.execPath, [PROGRAM, receiptPath, offsetPath]);
      expect(String(stdout)).toBe('holds, and is of the weight of the offset\n');
    }
    rmSync(folder, { recursive: true });
  });

  it('has no entries until the offset is completed, and none when it failed', async () => {
    const failed = request({ kgCO2e: 1e12 });
    await service.publishRequests([failed]);
    expect(await receiptOf(failed.id)).toMatchObject({ offset: failed.id, entries: [] });
    expect(await service.settled(app, failed.id)).toMatchObject({
      failure: { code: 'insufficient_supply', detail: expect.stringMatching(/^Only \d[\d.]* credits are available/) },
    });
    expect(await receiptOf(failed.id)).toEqual({ offset: failed.id, status: 'failed', entries: [] });
  });

  it('has the reference of the external registry', async () => {
    const [{ id = '' } = {}] = await complete(8);
    expect((await receiptOf(id)).entries[0]).not.toHaveProperty('reference');
    await service.sql.query(
      `ALTER TABLE ledger DISABLE TRIGGER ALL; UPDATE ledger SET registry_reference = 'R-1' WHERE offset_id = '${id}';
       ALTER TABLE ledger ENABLE TRIGGER ALL`,
    );
    expect((await receiptOf(id)).entries).toMatchObject([{ asset: 'pool_b', reference: 'R-1' }]);
  });

  it('names the vintages of the asset, as the offset does, and none where none are published', async () => {
    const [{ id = '' } = {}] = await complete(9);
    const { status, entries } = await receiptOf(id);
    expect([status, entries.map(({ vintages }) => vintages)]).toEqual(['completed', [[2015, 2018]]]);
    expect(await service.settled(app, id)).toMatchObject({ retirements: [{ vintages: [2015, 2018] }] });
    await service.publishAssets([pool('b', { price: 1e6, issued: 1e9 })]);
    await eventually(async () => expect((await receiptOf(id)).entries[0]).not.toHaveProperty('vintages'));
  });

  it('waits at most 1 s for an offset that is not recorded, then responds 404; also to another account', async () => {
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

  it('is refused for a chain that has lost an entry', async () => {
    const [first, second] = await complete(1, 2);
    await service.sql.query(
      `ALTER TABLE ledger DISABLE TRIGGER ALL; DELETE FROM ledger WHERE offset_id = '${first?.id}';
       ALTER TABLE ledger ENABLE TRIGGER ALL`,
    );
    expect((await get(`?offset=${second?.id}`)).statusCode).toBe(500);
  });

  it('continues the last hash of a marked gap', async () => {
    const hash = 'ab'.repeat(32);
    await service.sql.query(
      `INSERT INTO ledger_gaps (asset_id, first_sequence, last_sequence, last_hash)
       SELECT 'pool_b', max(sequence) + 1, max(sequence) + 2, decode('${hash}', 'hex') FROM ledger WHERE asset_id = 'pool_b'`,
    );
    const [{ id = '' } = {}] = await complete(3);
    const { entries } = await receiptOf(id);
    expect(entries).toMatchObject([{ asset: 'pool_b', previousHash: hash }]);
    for (const entry of entries) expect(entry.hash).toBe(recomputed(id, entry));
  });
});

describe('docs/registry.md', () => {
  const [retired, documented, receipt] = blocksOf('json').map((block) => JSON.parse(block)) as object[];

  it('has calls that a registry answers as the page says', async () => {
    const registry = await TestRegistry.start();
    const answers: unknown[] = [];
    for (const command of blocksOf('sh')) {
      const here = command.replace('http://localhost:4000/v1', registry.url);
      const { stdout } = await promisify(execFile)('sh', ['-c', here]);
      const [head = '', body = ''] = stdout.split('\r\n\r\n');
      answers.push([head.split(' ', 2)[1], JSON.parse(body)]);
    }
    expect(answers).toEqual([
      ['201', retired],
      ['200', documented],
    ]);
    expect(registry.ledger).toEqual([retired]);
    await registry.stop();
  });

  it('has a receipt that its program verifies', () => {
    expect(retirementReceiptView.safeParse(receipt).success).toBe(true);
    expect(spawnSync(process.execPath, [PROGRAM], { input: JSON.stringify(receipt) }).status).toBe(0);
  });
});
