import { eventually } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { Consumers } from '../consumers.js';
import { backUp, RestoredDatabase, restore } from '../testing/database-copies.js';
import { pool, request } from '../testing/events.js';
import { expectConsistent } from '../testing/ledger.js';
import { callerHeaders, TestService } from '../testing/service.js';

/** Long enough for a busy machine. */
const PATIENT = { within: 180_000 };

let service: TestService;
const requests = (count: number) =>
  Array.from({ length: count }, (_, n) => request({ kgCO2e: (n % 7) + 0.5, customerRef: `u-${n}` }));

describe('a database that was restored to before 1,000 offsets were completed', () => {
  const published = requests(1_000);
  const before = requests(20);
  let older: RestoredDatabase;
  let facts: Awaited<ReturnType<typeof factsOf>>;

  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('cheap', { price: 1, issued: 1 }), pool('known', { price: 2 }), pool('other')]);
    const first = await service.start();
    await service.publishRequests(before);
    await service.reaches({ completed: before.length });
    await first.close();
    older = await RestoredDatabase.copyOf(service.databaseUrl);

    const second = await service.start();
    // Published after the copy only, lowered below what is retired, and withdrawn.
    await service.publishAssets([pool('new', { price: 0.5, issued: 1 })]);
    await eventually(async () =>
      expect(await service.rows(`SELECT FROM supply WHERE asset_id = 'pool_new'`)).toHaveLength(1),
    );
    await service.publishRequests([...published, request({ kgCO2e: 1e12 })]);
    await service.reaches({ completed: before.length + published.length, failed: 1 });
    await service.publishAssets([pool('known', { price: 2, issued: 0.001 })]);
    await service.withdraw('pool_new');
    await second.close();
    facts = await factsOf(service.sql);
    expect(await older.rows('SELECT FROM offsets')).toHaveLength(before.length);
    expect(facts.ledger?.map((row) => (row as { asset_id: string }).asset_id)).toContain('pool_new');
  });
  afterAll(async () => {
    await service.close();
    await older.close();
  });

  const read = async (app: NestFastifyApplication, id: string) => {
    const answer = await app.inject({ url: `/v1/offsets?id=${id}`, headers: callerHeaders('default') });
    return [answer.statusCode, answer.json<{ status?: string; code?: string }>()] as const;
  };

  it('serves no list and decides nothing while the recovery cannot continue', async () => {
    await older.rows(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not yet'; END $$;
      CREATE TRIGGER not_yet BEFORE INSERT ON offsets FOR EACH STATEMENT EXECUTE FUNCTION refuse()`);
    const app = await service.launch({ DATABASE_URL: older.url });
    await eventually(async () => {
      expect(await older.rows('SELECT FROM recovered_outcomes')).toHaveLength(published.length + 1);
      expect(await older.rows('SELECT FROM ledger')).toHaveLength(facts.ledger?.length ?? 0);
    }, PATIENT);
    expect(await read(app, published[0]?.id ?? '')).toEqual([
      503,
      expect.objectContaining({ code: 'service_unavailable' }),
    ]);
    expect(await read(app, before[0]?.id ?? '')).toEqual([200, expect.objectContaining({ status: 'completed' })]);
    expect((await app.inject({ url: '/v1/offsets', headers: callerHeaders('default') })).statusCode).toBe(503);
    expect(app.get(Consumers).consuming).toBe(false);
    const metrics = (await app.inject('/metrics')).body;
    expect(metrics).toMatch(/carbon_offsets_kafka_consuming\{group="offsets.requests"\} 0\n/);
    // Like a killed process: it neither finishes nor releases anything.
    await app.close();
    await older.rows('DROP TRIGGER not_yet ON offsets');
    expect(await older.rows('SELECT recovering FROM database_state')).toEqual([{ recovering: true }]);
  });

  it('is recovered by two processes: same retirements, hashes, payloads and event ids', async () => {
    // A process that had not noticed the restore recorded another request under an id that was completed before.
    await older.rows(
      `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, created_at, updated_at)
       VALUES ($1, 'default', 'queued', 9, 9000, repeat('0', 64), now(), now())`,
      [published[0]?.id],
    );
    // Like a statement timeout: events of many lines take too long for one statement.
    await older.rows(`
      CREATE FUNCTION too_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM added) > 300 THEN RAISE EXCEPTION 'too many' USING ERRCODE = '57014'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER too_many AFTER INSERT ON outbox REFERENCING NEW TABLE AS added FOR EACH STATEMENT
        EXECUTE FUNCTION too_many()`);
    const apps = await Promise.all([0, 1].map(() => service.launch({ DATABASE_URL: older.url })));
    await eventually(async () => {
      const state = await older.rows('SELECT recovering FROM database_state WHERE recovered_at IS NOT NULL');
      expect(state).toEqual([{ recovering: false }]);
    }, PATIENT);
    const { supply, ...rest } = await factsOf(older.sql);
    const { supply: was, ...others } = facts;
    expect(rest).toEqual(others);
    expect(supply).toEqual(expect.arrayContaining(was ?? []));
    await expectConsistent(older.url);
    for (const app of apps) {
      await app.get(Consumers).joined();
      const [status, offset] = await read(app, published.at(-1)?.id ?? '');
      expect([status, offset.status]).toEqual([200, 'completed']);
    }
    expect(await older.rows('SELECT FROM recovered_outcomes')).toEqual([]);
    expect(await older.rows('SELECT FROM recovered_lines')).toEqual([]);
    expect(service.exits).toEqual([]);
  });
});

describe('a restored database', () => {
  beforeEach(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a', { issued: 1_000_000 })]);
  });
  afterEach(() => service.close());

  it('stops the recovery where an offset has another outcome than was published, and names the offset', async () => {
    await (await service.start()).close();
    const older = await RestoredDatabase.copyOf(service.databaseUrl);
    const app = await service.start();
    const published = requests(40);
    await service.publishRequests(published);
    await service.reaches({ completed: published.length });
    await app.close();

    const id = published.at(-1)?.id ?? '';
    await older.rows(
      `INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, created_at, updated_at, failed_at, failure_code,
         failure_detail)
       VALUES ($1, 'default', 'failed', 1, 1000, '', now(), now(), now(), 'insufficient_supply', '')`,
      [id],
    );
    const again = await service.launch({ DATABASE_URL: older.url });
    await eventually(() => expect(service.exits).toHaveLength(1), PATIENT);
    expect(service.exits[0]?.message).toMatch(
      `Offset ${id} is failed (insufficient_supply) in PostgreSQL, but was published as completed.`,
    );
    expect(await older.rows('SELECT FROM ledger')).toEqual([]);
    await again.close();
    await older.close();
  });

  it('is noticed while the service runs without requests, and the successor records what was lost', async () => {
    await service.publishRequests(requests(20));
    const first = await service.start();
    await service.reaches({ completed: 20 });
    await backUp(service.databaseUrl);
    await service.publishRequests(requests(300));
    await service.reaches({ completed: 320 });
    await restore(service.databaseUrl);
    await eventually(() => expect(service.exits.map(String)).toContainEqual(expect.stringContaining('PostgreSQL')));
    await first.close();
    await service.start();
    await service.reaches({ completed: 320 });
  });

  it('is noticed by the next batch, which stores no position, because it would hide the requests in between', async () => {
    await service.start();
    const all = requests(3);
    // Under one key, so that they share a partition.
    const published = (place: number) => service.publish('offset.requested.v1', 'off_same', all[place]);
    await published(0);
    await service.reaches({ completed: 1 });
    await backUp(service.databaseUrl);
    await published(1);
    await service.reaches({ completed: 2 });
    await restore(service.databaseUrl);
    await published(2);
    await eventually(() => expect(service.exits.length).toBeGreaterThan(0));
    const stored = await service.rows<{ sum: string }>('SELECT sum(position) FROM request_positions');
    expect(stored).toEqual([{ sum: '1' }]);
  });

  it('is recognized by its server, which is stored once, and again for another server', async () => {
    const noted = () =>
      service.rows<{ server: string; server_since: Date }>('SELECT server, server_since FROM database_state');
    const launched = async () => {
      await (await service.start()).close();
      return noted();
    };
    const first = await launched();
    expect(first).toEqual([{ server: expect.stringMatching(/^\d+/), server_since: expect.any(Date) }]);
    expect(await launched()).toEqual(first);
    await service.sql.query(`UPDATE database_state SET server = 'another'`);
    const [again] = await launched();
    expect(again?.server).toBe(first[0]?.server);
    expect(again?.server_since.getTime()).toBeGreaterThan(first[0]?.server_since.getTime() ?? Number.NaN);
  });
});

/** Returns the outcomes in a database in the form in which they are published. */
async function factsOf(sql: pg.Pool): Promise<Record<string, unknown[]>> {
  const rows = async (statement: string) => (await sql.query<Record<string, unknown>>(statement)).rows;
  return {
    offsets:
      await rows(`SELECT id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent,
      cost_micros, failure_code, failure_detail, created_at, completed_at, failed_at, announced_at IS NOT NULL AS published
      FROM offsets ORDER BY id`),
    ledger: await rows('SELECT * FROM ledger ORDER BY asset_id, sequence'),
    outbox: await rows(`SELECT event_id, offset_id, type, payload::text, traceparent, published_at IS NULL AS unsent
      FROM outbox ORDER BY event_id`),
    supply: await rows('SELECT asset_id, retired, reserved FROM supply ORDER BY asset_id'),
  };
}
