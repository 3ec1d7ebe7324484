import { eventually, type MetricFamily, metricValue, readExposition } from '@carbon/testing';
import { gatewayMetrics } from './gateway.metrics.js';
import { SEARCH, startPublishingGateway, type TestGateway, UNUSED_ADDRESS, useGateway } from './testing/gateway.js';

const POST = { route: '/v1/offsets', method: 'POST' };

async function metricsOf(gateway: TestGateway): Promise<Map<string, MetricFamily>> {
  const answer = await fetch(`${gateway.url}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return readExposition(await answer.text());
}

/** Returns how far counters increase while `work` runs. */
async function movedBy(gateway: TestGateway, work: () => Promise<void>) {
  const before = await metricsOf(gateway);
  await work();
  const after = await metricsOf(gateway);
  return (name: string, labels: Record<string, string> = {}) =>
    (metricValue(after, `carbon_gateway_${name}`, labels) ?? 0) -
    (metricValue(before, `carbon_gateway_${name}`, labels) ?? 0);
}

function post(gateway: TestGateway, body: object, headers: Record<string, string> = {}) {
  return gateway.send({ method: 'POST', path: '/v1/offsets', body, headers });
}

describe('GET /metrics of the gateway', () => {
  const gateway = useGateway(undefined, startPublishingGateway);

  it('exports each metric with the format and names that Prometheus requires', async () => {
    const families = await metricsOf(gateway);
    const named = gatewayMetrics.flatMap((table) => Object.values(table));
    for (const { name, kind, help } of named) expect(families.get(name)).toMatchObject({ type: kind, help });
    for (const { name, type } of families.values()) {
      expect(name).toMatch(/^(carbon_gateway|process|nodejs)_/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
    const own = [...families.keys()].filter((name) => name.startsWith('carbon_'));
    expect(own.sort()).toEqual(named.map(({ name }) => name).sort());
    expect(metricValue(families, 'process_start_time_seconds')).toBeGreaterThan(1.7e9);
    expect(metricValue(families, 'nodejs_eventloop_lag_p99_seconds')).toBeDefined();
  });

  it('counts accepted offsets and replays, and measures publishing', async () => {
    const key = { 'idempotency-key': 'metrics' };
    const moved = await movedBy(gateway, async () => {
      for (let round = 0; round < 3; round += 1) expect((await post(gateway, { kgCO2e: 5 }, key)).status).toBe(202);
    });
    expect(moved('offsets_accepted_total', { replayed: 'false' })).toBe(1);
    expect(moved('offsets_accepted_total', { replayed: 'true' })).toBe(2);
    // The offsets service is away, and the replays are in the cache.
    expect(moved('idempotency_lookups_total', { outcome: 'unknown' })).toBe(1);
    const published = { topic: 'offset.requested', outcome: 'confirmed' };
    expect(moved('publish_duration_seconds_count', published)).toBe(1);
    expect(moved('publish_duration_seconds_sum', published)).toBeGreaterThan(0);
    expect(moved('publish_batch_messages_count')).toBe(1);
    expect(moved('http_requests_total', { ...POST, status: '202' })).toBe(3);
    expect(moved('http_request_duration_seconds_count', POST)).toBe(3);
    const after = await metricsOf(gateway);
    expect(metricValue(after, 'carbon_gateway_publish_connected')).toBe(1);
    expect(metricValue(after, 'carbon_gateway_publish_in_flight_messages')).toBe(0);
  });

  it('counts problems by code', async () => {
    const moved = await movedBy(gateway, async () => {
      await post(gateway, { kgCO2e: -1 });
      await post(gateway, { kgCO2e: 1 }, { 'idempotency-key': 'reused' });
      await post(gateway, { kgCO2e: 2 }, { 'idempotency-key': 'reused' });
      await gateway.send({ path: '/v1/nothing/here' });
    });
    expect(moved('http_problems_total', { ...POST, code: 'invalid_request' })).toBe(1);
    expect(moved('http_problems_total', { ...POST, code: 'idempotency_key_reused' })).toBe(1);
    expect(moved('http_problems_total', { route: 'none', code: 'not_found' })).toBe(1);
  });

  it('never uses input of a client as a label: unknown paths are one series', async () => {
    for (let count = 0; count < 20; count += 1) await gateway.send({ path: `/made/up/${count}?id=off_${count}` });
    const families = await metricsOf(gateway);
    const routes = families.get('carbon_gateway_http_requests_total')?.samples.map(({ labels }) => labels.route);
    expect(routes?.filter((route) => route?.includes('made'))).toEqual([]);
    expect(JSON.stringify([...families.values()].flatMap(({ samples }) => samples))).not.toContain('off_');
  });

  it('counts calls to apps that are down, and exports the open circuit breaker', async () => {
    const before = metricValue(await metricsOf(gateway), 'carbon_gateway_upstream_circuit_breaker_open', {
      upstream: 'catalog',
    });
    for (let round = 0; round < 7; round += 1) expect((await gateway.send({ path: SEARCH })).status).toBe(503);
    const families = await metricsOf(gateway);
    const countOf = (outcome: string) =>
      metricValue(families, 'carbon_gateway_upstream_request_duration_seconds_count', { upstream: 'catalog', outcome });
    expect([before, countOf('failed'), countOf('breaker_open')]).toEqual([0, 5, 2]);
    expect(metricValue(families, 'carbon_gateway_upstream_circuit_breaker_open', { upstream: 'catalog' })).toBe(1);
  });
});

describe('the metrics of a gateway without Kafka', () => {
  const gateway = useGateway(() => ({ KAFKA_BROKERS: UNUSED_ADDRESS, ACCEPT_TIMEOUT_MS: '100' }));

  it('report the lost connection, and count rejected offsets', async () => {
    expect((await post(gateway, { kgCO2e: 1 })).status).toBe(503);
    await eventually(async () => {
      const families = await metricsOf(gateway);
      const refused = metricValue(families, 'carbon_gateway_http_problems_total', { ...POST, code: 'not_accepted' });
      const outcome = { topic: 'offset.requested', outcome: 'not_accepted' };
      expect([refused, metricValue(families, 'carbon_gateway_publish_duration_seconds_count', outcome)]).toEqual([
        1, 1,
      ]);
      expect(metricValue(families, 'carbon_gateway_publish_connected')).toBe(0);
      expect(metricValue(families, 'carbon_gateway_offsets_accepted_total', { replayed: 'false' })).toBe(0);
    });
  });
});
