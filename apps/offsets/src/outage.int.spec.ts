import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { Door } from './test-door.js';
import { pool, request } from './test-events.js';
import { asks, TestService } from './test-service.js';

const OFFSETS = 300;

/** Between cuts: long enough to begin something, mostly too short to finish it. */
const PAUSES_MS = [60, 90, 40, 150, 70, 250, 110, 30, 400, 80, 130, 50, 600, 90, 180, 20, 300, 70, 100, 500];

describe('a service whose database is away', () => {
  let service: TestService;
  let door: Door;
  beforeEach(async () => {
    service = await TestService.create();
    door = await Door.before(service.databaseUrl);
    await service.publishAssets([pool('a')]);
  });
  afterEach(async () => {
    await service.close();
    await door.close();
  });

  const requests = () => Array.from({ length: OFFSETS }, (_, n) => request({ kgCO2e: n + 1 }));
  const allDone = () =>
    eventually(async () => {
      expect(await service.counts()).toEqual({ completed: OFFSETS });
      expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).toEqual([]);
    });

  it('starts, lives, is not ready, and takes up its work when the database comes', async () => {
    door.shut();
    const app = await service.launch({ DATABASE_URL: door.urlOf(service.databaseUrl) });
    await service.publishRequests(requests());
    expect((await app.inject('/health/live')).statusCode).toBe(200);
    const ready = await app.inject('/health/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toMatchObject({ dependencies: { postgres: 'down' } });
    const read = await app.inject({ url: '/v1/offsets', headers: asks('default') });
    expect(read.statusCode).toBe(503);
    expect(read.json()).toMatchObject({ code: 'service_unavailable' });
    door.open();
    await allDone();
    await eventually(async () => expect((await app.inject('/health/ready')).statusCode).toBe(200));
  });

  it('loses nothing and does nothing twice when its connections are cut again and again in the middle of work', async () => {
    await service.launch({ DATABASE_URL: door.urlOf(service.databaseUrl) });
    await service.publishRequests(requests());
    for (const pause of PAUSES_MS) {
      // No event: the cuts are to fall at odd moments of work that nobody announces.
      await sleep(pause);
      door.cut();
    }
    await allDone();
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
  });

  it('waits in front of a database that is not migrated, and dead-letters nothing', async () => {
    await service.sql.query('ALTER TABLE migrations RENAME TO elsewhere; ALTER TABLE offsets RENAME TO elsewhere_too');
    const app = await service.launch({});
    await service.publishRequests(requests());
    await eventually(async () => expect((await app.inject('/health/ready')).statusCode).toBe(503));
    await service.sql.query('ALTER TABLE elsewhere_too RENAME TO offsets; ALTER TABLE elsewhere RENAME TO migrations');
    await allDone();
  });
});

describe('a service whose Kafka is away', () => {
  it('starts, lives, answers what is recorded, and is not ready', async () => {
    const service = await TestService.create();
    const app = await service.launch({ KAFKA_BROKERS: ['127.0.0.1:1'] });
    expect((await app.inject('/health/live')).statusCode).toBe(200);
    await eventually(async () => {
      const read = await app.inject({ url: '/v1/offsets', headers: asks('default') });
      expect(read.statusCode).toBe(200);
    });
    await eventually(async () => {
      const ready = await app.inject('/health/ready');
      expect(ready.json()).toMatchObject({ state: 'starting', dependencies: { kafka: 'down', postgres: 'up' } });
    });
    await service.close();
  });
});
