import { eventually, figureOf, type MetricFamily, readExposition } from '@carbon/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { offsetsMetrics } from './offsets.metrics.js';
import { Door } from './test-door.js';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

type Families = Map<string, MetricFamily>;

async function metricsOf(app: NestFastifyApplication): Promise<Families> {
  const answer = await app.inject('/metrics');
  expect(answer.statusCode).toBe(200);
  return readExposition(answer.body);
}

/** The figures as they are once they are no older than the last few seconds. */
function shows(app: NestFastifyApplication, check: (families: Families) => void): Promise<void> {
  return eventually(async () => check(await metricsOf(app)), { within: 120_000, every: 200 });
}

describe('GET /metrics of the offsets service', () => {
  let service: TestService;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    service = await TestService.create();
    await service.publishAssets([pool('a', { issued: 100 }), pool('off', { active: false })]);
    app = await service.start();
  });

  afterAll(() => service.close());

  it('shows each of its metrics under its name and type', async () => {
    const families = await metricsOf(app);
    const named = offsetsMetrics.flatMap((table) => Object.values(table));
    for (const { name, kind, help } of named) expect(families.get(name)).toMatchObject({ type: kind, help });
    const own = [...families.keys()].filter((name) => name.startsWith('carbon_'));
    expect(own.sort()).toEqual(named.map(({ name }) => name).sort());
  });

  it('counts offsets from state to state, and their events', async () => {
    const completed = request({ kgCO2e: 2_000 });
    const short = request({ kgCO2e: 1e9 });
    const rejected = { ...request({ kgCO2e: 1 }), grams: '999' };
    await service.publishRequests([completed, short, rejected]);
    for (const { id } of [completed, short, rejected]) await service.settled(app, id);
    await shows(app, (families) => {
      const seen = (state: string, next: string) =>
        figureOf(families, 'carbon_offsets_state_duration_seconds_count', { state, next });
      expect([seen('queued', 'processing'), seen('processing', 'completed'), seen('queued', 'failed')]).toEqual([
        1, 1, 1,
      ]);
      expect(figureOf(families, 'carbon_offsets_settled_duration_seconds_count', { status: 'completed' })).toBe(1);
      expect(
        figureOf(families, 'carbon_offsets_settled_duration_seconds_sum', { status: 'completed' }),
      ).toBeGreaterThan(0);
      expect(figureOf(families, 'carbon_offsets_recorded_total', { status: 'queued' })).toBe(2);
      expect(figureOf(families, 'carbon_offsets_failed_total', { code: 'insufficient_supply' })).toBe(1);
      expect(figureOf(families, 'carbon_offsets_failed_total', { code: 'request_rejected' })).toBe(1);
      expect(figureOf(families, 'carbon_offsets_allocation_batch_offsets_sum')).toBe(2);
      const confirmed = { outcome: 'confirmed' };
      expect(figureOf(families, 'carbon_offsets_publish_duration_seconds_count', confirmed)).toBe(3);
      const taken = { topic: 'offset.requested' };
      expect(figureOf(families, 'carbon_offsets_kafka_batch_messages_sum', taken)).toBe(3);
    });
  });

  it('counts dead letters by topic and reason', async () => {
    await service.publish('offset.requested.v1', 'off_bad', { nothing: true });
    await shows(app, (families) => {
      expect(figureOf(families, 'carbon_offsets_kafka_dead_letters_total', { topic: 'offset.requested' })).toBe(1);
    });
  });

  it('shows the supply, what of it is left, and what hangs over', async () => {
    await shows(app, (families) => {
      expect(figureOf(families, 'carbon_offsets_supply_available_grams')).toBe(98_000_000);
      expect(figureOf(families, 'carbon_offsets_supply_retirable_assets')).toBe(1);
      expect(figureOf(families, 'carbon_offsets_supply_overhang_grams')).toBe(0);
      expect(figureOf(families, 'carbon_offsets_supply_caught_up')).toBe(1);
    });
    await service.publishAssets([pool('a', { issued: 0.5 })]);
    await shows(app, (families) => {
      expect(figureOf(families, 'carbon_offsets_supply_overhang_grams')).toBe(1_500_000);
      expect(figureOf(families, 'carbon_offsets_supply_overhang_assets')).toBe(1);
      expect(figureOf(families, 'carbon_offsets_supply_available_grams')).toBe(0);
    });
  });

  it('shows that both groups are in and that nothing is left to them, and the pool', async () => {
    await shows(app, (families) => {
      const consuming = families.get('carbon_offsets_kafka_consuming')?.samples.map(({ value }) => value);
      expect(consuming).toEqual([1, 1]);
      expect(figureOf(families, 'carbon_offsets_kafka_lag_messages', { topic: 'offset.requested' })).toBe(0);
      expect(figureOf(families, 'carbon_offsets_kafka_lag_messages', { topic: 'asset.published' })).toBe(0);
      const up = families.get('carbon_offsets_figures_up')?.samples.map(({ value }) => value);
      expect(up).toEqual([1, 1, 1, 1]);
      expect(figureOf(families, 'carbon_offsets_pool_connections_max')).toBe(10);
      expect(figureOf(families, 'carbon_offsets_pool_connections')).toBeGreaterThan(0);
      expect(figureOf(families, 'carbon_offsets_work_failures_total', { worker: 'offset' })).toBe(0);
    });
  });
});

// Figures are kept for seconds, so these mostly wait: each with a service of its own, they wait at the same time.
describe('the metrics of a service whose work cannot go on', () => {
  it.concurrent('show what waits and since when, while nobody gives credits out', async () => {
    const service = await TestService.create();
    try {
      const app = await service.start();
      const createdAt = new Date(Date.now() - 120_000).toISOString();
      const { lock, unlock } = await lockedSupply(service);
      await lock;
      await service.record(app, [request({ kgCO2e: 1 }, { createdAt }), request({ kgCO2e: 2 }, { createdAt })]);
      await shows(app, (families) => {
        expect(figureOf(families, 'carbon_offsets_queued_offsets')).toBe(2);
        const age = figureOf(families, 'carbon_offsets_oldest_queued_age_seconds') ?? 0;
        expect([age > 119, age < 600]).toEqual([true, true]);
        expect(figureOf(families, 'carbon_offsets_work_failures_total', { worker: 'offset' })).toBeGreaterThan(0);
      });
      await unlock();
    } finally {
      await service.close();
    }
  });

  it.concurrent('stay readable without PostgreSQL: what is asked of it is absent, what is known otherwise is there', async () => {
    const service = await TestService.create();
    const door = await Door.before(service.databaseUrl);
    try {
      const app = await service.launch({ DATABASE_URL: door.urlOf(service.databaseUrl) });
      await shows(app, (families) => expect(figureOf(families, 'carbon_offsets_queued_offsets')).toBe(0));
      door.shut();
      await service.publishRequests([request({ kgCO2e: 1 }), request({ kgCO2e: 2 })]);
      await shows(app, (families) => {
        expect(figureOf(families, 'carbon_offsets_figures_up', { source: 'tables' })).toBe(0);
        expect(families.get('carbon_offsets_queued_offsets')?.samples).toEqual([]);
        expect(families.get('carbon_offsets_outbox_unsent_rows')?.samples).toEqual([]);
        const waiting = { topic: 'offset.requested' };
        expect(figureOf(families, 'carbon_offsets_kafka_lag_messages', waiting)).toBe(2);
        expect(figureOf(families, 'carbon_offsets_kafka_oldest_unread_age_seconds', waiting)).toBeGreaterThan(0);
      });
      door.open();
      await shows(app, (families) => {
        expect(figureOf(families, 'carbon_offsets_figures_up', { source: 'tables' })).toBe(1);
        expect(figureOf(families, 'carbon_offsets_kafka_lag_messages', { topic: 'offset.requested' })).toBe(0);
      });
    } finally {
      await service.close();
      await door.close();
    }
  });

  it.concurrent('stay readable without Kafka, and show what waits to be announced', async () => {
    const service = await TestService.create();
    try {
      const first = await service.start();
      await service.publishAssets([pool('a')]);
      const app = await service.launch({ KAFKA_BROKERS: ['127.0.0.1:1'] });
      await service.sql.query(
        `INSERT INTO outbox (event_id, offset_id, type, payload, created_at, lease_until, lease_token)
         VALUES ('e', 'off_e', 'offset.completed.v1', '{}', now() - interval '5 minutes', now() + interval '1 minute', gen_random_uuid())`,
      );
      await shows(app, (families) => {
        expect(figureOf(families, 'carbon_offsets_outbox_unsent_rows')).toBe(1);
        expect(figureOf(families, 'carbon_offsets_outbox_oldest_unsent_age_seconds')).toBeGreaterThan(299);
        expect(figureOf(families, 'carbon_offsets_publish_connected')).toBe(0);
        expect(families.get('carbon_offsets_kafka_lag_messages')?.samples).toEqual([]);
      });
      await service.sql.query(`UPDATE outbox SET lease_until = now() - interval '1 second'`);
      await eventually(async () => {
        const taken = await Promise.all(
          [first, app].map(async (each) =>
            figureOf(await metricsOf(each), 'carbon_offsets_leases_taken_over_total', { table: 'outbox' }),
          ),
        );
        expect(taken.reduce((sum: number, one) => sum + (one ?? 0), 0)).toBeGreaterThan(0);
      });
    } finally {
      await service.close();
    }
  });
});

/** Holds the queue locked against those who give credits out, from a session of the test's own. */
async function lockedSupply(service: TestService): Promise<{ lock: Promise<unknown>; unlock: () => Promise<void> }> {
  const session = await service.sql.connect();
  await session.query('BEGIN');
  const lock = session.query('LOCK TABLE reservations, supply IN ACCESS EXCLUSIVE MODE');
  return {
    lock,
    unlock: async () => {
      await session.query('ROLLBACK');
      session.release();
    },
  };
}
