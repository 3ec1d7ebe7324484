import { eventually } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Consumers } from '../consumers.js';
import { pool, request } from '../test-events.js';
import { asks, TestService } from '../test-service.js';
import { expectSound, factsOf, RestoredDatabase } from './test-restored.js';

const AFTER_COPY = 1_000;
/** For a machine with much else to do. */
const PATIENT = { within: 180_000 };

let service: TestService;
let older: RestoredDatabase;

const requests = (count: number) =>
  Array.from({ length: count }, (_, n) => request({ kgCO2e: (n % 7) + 0.5, customerRef: `u-${n}` }));
const announced = (count: number) =>
  eventually(async () => {
    expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NOT NULL')).toHaveLength(count);
  }, PATIENT);
const recovered = () =>
  eventually(async () => {
    expect(await older.rows('SELECT recovering FROM database_state WHERE recovered_at IS NOT NULL')).toEqual([
      { recovering: false },
    ]);
  }, PATIENT);
const read = async (app: NestFastifyApplication, id: string) => {
  const answer = await app.inject({ url: `/v1/offsets?id=${id}`, headers: asks('default') });
  return [answer.statusCode, answer.json<{ status?: string; code?: string }>()] as const;
};

describe('a database that was put back to what it was before 1,000 offsets were completed', () => {
  const wanted = requests(AFTER_COPY);
  const before = requests(20);
  let facts: Awaited<ReturnType<typeof factsOf>>;

  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('cheap', { price: 1, issued: 1 }), pool('known', { price: 2 }), pool('other')]);
    const first = await service.start();
    await service.publishRequests(before);
    await announced(before.length);
    await first.close();
    older = await RestoredDatabase.copyOf(service.databaseUrl);

    const second = await service.start();
    // Known to the library only after the copy, lowered below what is retired, and withdrawn.
    await service.publishAssets([pool('new', { price: 0.5, issued: 1 })]);
    await eventually(async () =>
      expect(await service.rows(`SELECT FROM supply WHERE asset_id = 'pool_new'`)).toHaveLength(1),
    );
    await service.publishRequests([...wanted, request({ kgCO2e: 1e12 })]);
    await announced(before.length + wanted.length + 1);
    await service.publishAssets([pool('known', { price: 2, issued: 0.001 })]);
    await service.withdraw('pool_new');
    await second.close();
    facts = await factsOf(service.sql);
  });
  afterAll(async () => {
    await service.close();
    await older.close();
  });

  it('lacks them', async () => {
    expect(await older.rows('SELECT FROM offsets')).toHaveLength(before.length);
    expect(facts.offsets).toHaveLength(before.length + wanted.length + 1);
    expect(new Set(facts.ledger?.map((row) => (row as { asset_id: string }).asset_id))).toContain('pool_new');
  });

  it('is not read as if it held them, and decides nothing, while the recovery cannot go on', async () => {
    await older.rows(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not yet'; END $$;
      CREATE TRIGGER not_yet BEFORE INSERT ON offsets FOR EACH STATEMENT EXECUTE FUNCTION refuse()`);
    const app = await service.launch({ DATABASE_URL: older.url });
    await eventually(async () => {
      expect(await older.rows('SELECT FROM recovered_outcomes')).toHaveLength(wanted.length + 1);
      expect(await older.rows('SELECT FROM ledger')).toHaveLength(facts.ledger?.length ?? 0);
    }, PATIENT);
    expect(await read(app, wanted[0]?.id ?? '')).toEqual([
      503,
      expect.objectContaining({ code: 'service_unavailable' }),
    ]);
    expect(await read(app, before[0]?.id ?? '')).toEqual([200, expect.objectContaining({ status: 'completed' })]);
    expect((await app.inject({ url: '/v1/offsets', headers: asks('default') })).statusCode).toBe(503);
    expect(app.get(Consumers).consuming).toBe(false);
    const metrics = (await app.inject('/metrics')).body;
    expect(metrics).toMatch(/carbon_offsets_kafka_consuming\{group="offsets.requests"\} 0\n/);
    // As a process that is killed: it neither finishes nor gives anything back.
    await app.close();
    await older.rows('DROP TRIGGER not_yet ON offsets');
    expect(await older.rows('SELECT recovering FROM database_state')).toEqual([{ recovering: true }]);
  });

  it('holds all of them again once two processes have started: same retirements, hashes, texts and event ids', async () => {
    const apps = await Promise.all([0, 1].map(() => service.launch({ DATABASE_URL: older.url })));
    await recovered();
    const { supply, ...rest } = await factsOf(older.sql);
    const { supply: was, ...others } = facts;
    expect(rest).toEqual(others);
    expect(supply).toEqual(expect.arrayContaining(was ?? []));
    await expectSound(older.url);
    for (const app of apps) {
      await app.get(Consumers).joined();
      const [status, offset] = await read(app, wanted.at(-1)?.id ?? '');
      expect([status, offset.status]).toEqual([200, 'completed']);
    }
    expect(await older.rows('SELECT FROM recovered_outcomes')).toEqual([]);
    expect(await older.rows('SELECT FROM recovered_lines')).toEqual([]);
    expect(service.exits).toEqual([]);
  });

  it('goes on from there: what is asked for next is decided, announced and marked', async () => {
    const next = request({ kgCO2e: 3 });
    await service.publishRequests([next]);
    await eventually(async () => {
      const [row] = await older.rows<object>(
        `SELECT status, announced_at IS NOT NULL AS announced FROM offsets WHERE id = '${next.id}'`,
      );
      expect(row).toEqual({ status: 'completed', announced: true });
    }, PATIENT);
    await expectSound(older.url);
  });
});

describe('a process whose connections come to an older database while it runs', () => {
  it('ends with a sentence, having decided nothing there', async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a')]);
    const first = await service.start();
    await service.publishRequests(requests(5));
    await announced(5);
    await first.close();
    older = await RestoredDatabase.copyOf(service.databaseUrl);
    const app = await service.start();
    await service.publishRequests(requests(50));
    await announced(55);
    await older.takePlace();
    await service.publishRequests(requests(50));
    await eventually(() => expect(service.exits).toHaveLength(1), PATIENT);
    expect(service.exits[0]?.message).toMatch(
      /^PostgreSQL holds lower positions of (outcomes|offset\.requested) than it did/,
    );
    // Nothing tells the process of another server here, so that it is the positions which stop it, a second later at most.
    expect(await service.rows('SELECT FROM offsets WHERE announced_at IS NOT NULL')).toHaveLength(5);
    await app.close();
    await service.close();
    await older.close();
  });
});
