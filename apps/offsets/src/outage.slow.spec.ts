import { setTimeout as sleep } from 'node:timers/promises';
import { startProxyOf, type TcpProxy } from '@carbon/local';
import { eventually } from '@carbon/testing';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pool, request } from './testing/events.js';
import { auditOf } from './testing/ledger.js';
import { confirmOrder, TestRegistry } from './testing/registry.js';
import { callerHeaders, TestService } from './testing/service.js';

const OFFSETS = 300;

let service: TestService;
beforeEach(async () => {
  service = await TestService.create();
  await service.publishAssets([pool('a')]);
});
afterEach(() => service.close());

const requests = () => Array.from({ length: OFFSETS }, (_, n) => request({ kgCO2e: n + 1 }));
const readiness = async (app: NestFastifyApplication) => (await app.inject('/health/ready')).statusCode;

describe('a service whose database is down', () => {
  /** Between disconnections: long enough to start something, mostly too short to finish it. */
  const PAUSES_MS = [60, 90, 40, 150, 70, 250, 110, 30, 400, 80, 130, 50, 600, 90, 180, 20, 300, 70, 100, 500];
  let proxy: TcpProxy;
  beforeEach(async () => {
    proxy = await startProxyOf(service.databaseUrl);
  });
  afterEach(() => proxy.close());

  it('starts, is alive, is not ready, and starts working when the database comes up', async () => {
    proxy.refuse();
    const app = await service.launch({ DATABASE_URL: proxy.through(service.databaseUrl) });
    await service.publishRequests(requests());
    expect((await app.inject('/health/live')).statusCode).toBe(200);
    const ready = await app.inject('/health/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ dependencies: { postgres: 'down' } });
    const read = await app.inject({ url: '/v1/offsets', headers: callerHeaders('default') });
    expect(read.statusCode).toBe(503);
    expect(read.json()).toMatchObject({ code: 'service_unavailable' });
    await proxy.restore();
    await service.reaches({ completed: OFFSETS });
    await eventually(async () => expect(await readiness(app)).toBe(200));
  });

  it('loses nothing and does nothing twice when its connections are closed repeatedly during work', async () => {
    await service.launch({ DATABASE_URL: proxy.through(service.databaseUrl) });
    await service.publishRequests(requests());
    for (const pause of PAUSES_MS) {
      // Sleeps instead of waiting for an event, because the disconnections must happen at arbitrary moments.
      await sleep(pause);
      proxy.cut();
    }
    await service.reaches({ completed: OFFSETS });
    expect(await auditOf(service.databaseUrl)).toEqual({ violations: [], warnings: [] });
  });

  it('waits for a database that is not migrated, and dead-letters nothing', async () => {
    await service.sql.query('ALTER TABLE migrations RENAME TO elsewhere; ALTER TABLE offsets RENAME TO elsewhere_too');
    const app = await service.launch({});
    await service.publishRequests(requests());
    await eventually(async () => expect(await readiness(app)).toBe(503));
    await service.sql.query('ALTER TABLE elsewhere_too RENAME TO offsets; ALTER TABLE elsewhere RENAME TO migrations');
    await service.reaches({ completed: OFFSETS });
  });
});

describe('a service whose registry is down', () => {
  it('continues to receive, allocate, fail and publish, calls the registry rarely, and catches up when it is back', async () => {
    const registry = await TestRegistry.start();
    registry.behaviour = () => {};
    const quick = { REGISTRY_TIMEOUT_MS: 1_000, REGISTRY_CONCURRENCY: 8, REGISTRY_RETRY_MIN_MS: 100 };
    const settings = { ...quick, REGISTRY_URL: registry.url };
    const apps = [await service.launch(settings), await service.launch(settings)];
    const tooMuch = request({ kgCO2e: 1e9 });
    const all = requests();
    const begun = performance.now();
    await service.publishRequests([...all, tooMuch]);

    await service.reaches({ processing: OFFSETS, failed: 1 });
    expect(await service.messagesOf('offset.failed')).toMatchObject([{ key: tooMuch.id }]);
    for (const app of apps) await eventually(async () => expect(await readiness(app)).toBe(200));
    // Without a circuit breaker it would be 16 a second.
    const seconds = (performance.now() - begun) / 1_000;
    expect(registry.calls.length).toBeLessThan(40 + seconds);

    registry.behaviour = confirmOrder;
    await service.reaches({ completed: OFFSETS, failed: 1 });
    expect(registry.ledger.map(({ offset }) => offset).sort()).toEqual(all.map(({ id }) => id).sort());
    expect(await auditOf(service.databaseUrl)).toEqual({ violations: [], warnings: [] });
    await registry.stop();
  });
});
