import { eventually, type MetricFamily, metricValue, readExposition } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { QUEUE_GAUGES_SQL } from './metrics/gauges.js';
import { offsetsMetrics } from './offsets.metrics.js';
import { TestDatabase } from './testing/database.js';
import { pool, request } from './testing/events.js';
import { TestService } from './testing/service.js';

type Families = Map<string, MetricFamily>;

async function metricsOf(app: NestFastifyApplication): Promise<Families> {
  const answer = await app.inject('/metrics');
  expect(answer.statusCode).toBe(200);
  return readExposition(answer.body);
}
/** Waits until the metrics pass a check; the values of gauges are cached. */
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

  it('counts status changes, events and dead letters', async () => {
    const completed = request({ kgCO2e: 2_000 });
    const short = request({ kgCO2e: 1e9 });
    const rejected = { ...request({ kgCO2e: 1 }), grams: '999' };
    await service.publishRequests([completed, short, rejected]);
    for (const { id } of [completed, short, rejected]) await service.settled(app, id);
    await service.publish('offset.requested.v1', 'off_bad', { nothing: true });
    await shows(app, (families) => {
      const seen = (state: string, next: string) =>
        metricValue(families, 'carbon_offsets_state_duration_seconds_count', { state, next });
      expect([seen('queued', 'processing'), seen('processing', 'completed'), seen('queued', 'failed')]).toEqual([
        1, 1, 1,
      ]);
      expect(metricValue(families, 'carbon_offsets_settled_duration_seconds_count', { status: 'completed' })).toBe(1);
      expect(
        metricValue(families, 'carbon_offsets_settled_duration_seconds_sum', { status: 'completed' }),
      ).toBeGreaterThan(0);
      expect(metricValue(families, 'carbon_offsets_retired_grams_total')).toBe(2_000_000);
      expect(metricValue(families, 'carbon_offsets_retired_dollars_total')).toBe(20);
      expect(metricValue(families, 'carbon_offsets_recorded_total', { status: 'queued' })).toBe(2);
      expect(metricValue(families, 'carbon_offsets_failed_total', { code: 'insufficient_supply' })).toBe(1);
      expect(metricValue(families, 'carbon_offsets_failed_total', { code: 'request_rejected' })).toBe(1);
      expect(metricValue(families, 'carbon_offsets_allocation_batch_offsets_sum')).toBe(2);
      const confirmed = { outcome: 'confirmed' };
      expect(metricValue(families, 'carbon_offsets_publish_duration_seconds_count', confirmed)).toBe(3);
      const taken = { topic: 'offset.requested' };
      expect(metricValue(families, 'carbon_offsets_kafka_batch_messages_sum', taken)).toBe(4);
      expect(metricValue(families, 'carbon_offsets_kafka_dead_letters_total', taken)).toBe(1);
    });
  });

  it('shows the supply, what is available, and the overhang', async () => {
    await shows(app, (families) => {
      expect(metricValue(families, 'carbon_offsets_supply_available_grams')).toBe(98_000_000);
      expect(metricValue(families, 'carbon_offsets_supply_retirable_assets')).toBe(1);
      expect(metricValue(families, 'carbon_offsets_supply_available_assets')).toBe(1);
      expect(metricValue(families, 'carbon_offsets_supply_overhang_grams')).toBe(0);
      expect(metricValue(families, 'carbon_offsets_supply_ready')).toBe(1);
    });
    await service.publishAssets([pool('a', { issued: 0.5 })]);
    await shows(app, (families) => {
      expect(metricValue(families, 'carbon_offsets_supply_overhang_grams')).toBe(1_500_000);
      expect(metricValue(families, 'carbon_offsets_supply_overhang_assets')).toBe(1);
      expect(metricValue(families, 'carbon_offsets_supply_available_grams')).toBe(0);
      expect(metricValue(families, 'carbon_offsets_supply_retirable_assets')).toBe(1);
      expect(metricValue(families, 'carbon_offsets_supply_available_assets')).toBe(0);
    });
  });

  it('shows when an audit last succeeded, and nothing before the first', async () => {
    const lastAudit = 'carbon_offsets_last_successful_audit_timestamp_seconds';
    expect((await metricsOf(app)).get(lastAudit)?.samples).toEqual([]);
    await service.sql.query(`UPDATE database_state SET audited_at = '2026-11-20T00:00:00.5Z'`);
    await shows(app, (families) =>
      expect(metricValue(families, lastAudit)).toBe(Date.parse('2026-11-20T00:00:00.5Z') / 1_000),
    );
  });

  it('shows both consumer groups without lag, and the pool', async () => {
    await shows(app, (families) => {
      const consuming = families.get('carbon_offsets_kafka_consuming')?.samples.map(({ value }) => value);
      expect(consuming).toEqual([1, 1]);
      expect(metricValue(families, 'carbon_offsets_kafka_lag_messages', { topic: 'offset.requested' })).toBe(0);
      expect(metricValue(families, 'carbon_offsets_kafka_lag_messages', { topic: 'asset.published' })).toBe(0);
      const up = families.get('carbon_offsets_collector_up')?.samples.map(({ value }) => value);
      expect(up).toEqual([1, 1, 1, 1]);
      expect(metricValue(families, 'carbon_offsets_pool_connections_max')).toBe(10);
      expect(metricValue(families, 'carbon_offsets_pool_connections')).toBeGreaterThan(0);
      expect(metricValue(families, 'carbon_offsets_worker_failures_total', { worker: 'offset' })).toBe(0);
    });
  });

  it('counts the age of an offset in processing from when its credits were reserved', async () => {
    const test = await TestDatabase.create();
    try {
      await test.recordAssets([pool('a')]);
      const createdAt = new Date(Date.now() - 3_600_000).toISOString();
      await test.queueOne({ kgCO2e: 1 }, { createdAt });
      const [queued] = await test.rows<{ oldestQueued: number }>(QUEUE_GAUGES_SQL);
      expect(queued?.oldestQueued).toBeGreaterThan(3_500);
      await test.reserveCredits.run();
      const [held] = await test.rows<{ oldestProcessing: number; processing: number }>(QUEUE_GAUGES_SQL);
      expect(held).toMatchObject({ processing: 1, oldestQueued: 0 });
      expect(held?.oldestProcessing).toBeLessThan(300);
    } finally {
      await test.close();
    }
  });
});
