import { startProxyOf } from '@carbon/local';
import { eventually, type MetricFamily, metricValue, readExposition } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pool, request } from './testing/events.js';
import { NO_KAFKA, TestService } from './testing/service.js';

type Families = Map<string, MetricFamily>;

const metricsOf = async (app: NestFastifyApplication) => readExposition((await app.inject('/metrics')).body);
/** The gauges are cached for a few seconds. */
const shows = (app: NestFastifyApplication, check: (families: Families) => void) =>
  eventually(async () => check(await metricsOf(app)), { within: 120_000, every: 200 });

async function onService(work: (service: TestService) => Promise<void>): Promise<void> {
  const service = await TestService.create();
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

// Gauges are cached for seconds, so these tests mostly wait: each has its own service, and they run concurrently.
describe('the metrics of a service that cannot process offsets', () => {
  it.concurrent('show queued offsets and their age while nothing is allocated', () =>
    onService(async (service) => {
      const app = await service.start();
      const createdAt = new Date(Date.now() - 120_000).toISOString();
      const session = await service.sql.connect();
      await session.query('BEGIN');
      await session.query('LOCK TABLE reservations, supply IN ACCESS EXCLUSIVE MODE');
      await service.record(app, [request({ kgCO2e: 1 }, { createdAt }), request({ kgCO2e: 2 }, { createdAt })]);
      await shows(app, (families) => {
        expect(metricValue(families, 'carbon_offsets_queued_offsets')).toBe(2);
        const age = metricValue(families, 'carbon_offsets_oldest_queued_age_seconds') ?? 0;
        expect([age > 119, age < 600]).toEqual([true, true]);
        expect(metricValue(families, 'carbon_offsets_worker_failures_total', { worker: 'offset' })).toBeGreaterThan(0);
      });
      await session.query('ROLLBACK');
      session.release();
    }));

  it.concurrent('stay readable without PostgreSQL, without the gauges of tables', () =>
    onService(async (service) => {
      const proxy = await startProxyOf(service.databaseUrl);
      const app = await service.launch({ DATABASE_URL: proxy.through(service.databaseUrl) });
      await shows(app, (families) => expect(metricValue(families, 'carbon_offsets_queued_offsets')).toBe(0));
      proxy.refuse();
      await service.publishRequests([request({ kgCO2e: 1 }), request({ kgCO2e: 2 })]);
      await shows(app, (families) => {
        expect(metricValue(families, 'carbon_offsets_collector_up', { source: 'tables' })).toBe(0);
        expect(families.get('carbon_offsets_queued_offsets')?.samples).toEqual([]);
        expect(families.get('carbon_offsets_outbox_unpublished_rows')?.samples).toEqual([]);
        const waiting = { topic: 'offset.requested' };
        expect(metricValue(families, 'carbon_offsets_kafka_lag_messages', waiting)).toBe(2);
        expect(metricValue(families, 'carbon_offsets_kafka_oldest_unread_age_seconds', waiting)).toBeGreaterThan(0);
      });
      await proxy.restore();
      await shows(app, (families) => {
        expect(metricValue(families, 'carbon_offsets_collector_up', { source: 'tables' })).toBe(1);
        expect(metricValue(families, 'carbon_offsets_kafka_lag_messages', { topic: 'offset.requested' })).toBe(0);
      });
      await proxy.close();
    }));

  it.concurrent('stay readable without Kafka, and show unpublished events', () =>
    onService(async (service) => {
      const first = await service.start();
      await service.publishAssets([pool('a')]);
      const app = await service.launch(NO_KAFKA);
      await service.sql.query(
        `INSERT INTO outbox (event_id, offset_id, type, payload, created_at, lease_until, lease_token)
         VALUES ('e', 'off_e', 'offset.completed.v1', '{}', now() - interval '5 minutes', now() + interval '1 minute', gen_random_uuid())`,
      );
      await shows(app, (families) => {
        expect(metricValue(families, 'carbon_offsets_outbox_unpublished_rows')).toBe(1);
        expect(metricValue(families, 'carbon_offsets_outbox_oldest_unpublished_age_seconds')).toBeGreaterThan(299);
        expect(metricValue(families, 'carbon_offsets_publish_connected')).toBe(0);
        expect(families.get('carbon_offsets_kafka_lag_messages')?.samples).toEqual([]);
      });
      await service.sql.query(`UPDATE outbox SET lease_until = now() - interval '1 second'`);
      await eventually(async () => {
        const taken = await Promise.all(
          [first, app].map(async (each) =>
            metricValue(await metricsOf(each), 'carbon_offsets_expired_leases_claimed_total', { table: 'outbox' }),
          ),
        );
        expect(taken.reduce((sum: number, one) => sum + (one ?? 0), 0)).toBeGreaterThan(0);
      });
    }));
});
