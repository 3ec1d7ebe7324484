import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { pool, request } from './test-events.js';
import { honestly, TestRegistry } from './test-registry.js';
import { TestService } from './test-service.js';

const OFFSETS = 600;
const QUICK = { REGISTRY_TIMEOUT_MS: 1_000, REGISTRY_CONCURRENCY: 8, REGISTRY_RETRY_MIN_MS: 100 };

const FIXTURE = resolve(import.meta.dirname, 'fixtures/stop-at.mjs');

let service: TestService;
let registry: TestRegistry;
beforeEach(async () => {
  [service, registry] = [await TestService.create(), await TestRegistry.start()];
  await service.publishAssets([pool('a')]);
});
afterEach(async () => {
  await service.close();
  await registry.stop();
});

describe('a service whose registry is away', () => {
  it('goes on receiving, allocating, failing and announcing, asks seldom, and catches up when the registry is back', async () => {
    registry.behaves = () => {};
    const settings = { ...QUICK, REGISTRY_URL: registry.url };
    const apps = [await service.launch(settings), await service.launch(settings)];
    const wishes = Array.from({ length: OFFSETS }, () => request({ kgCO2e: 1 }));
    const tooMuch = request({ kgCO2e: 1e9 });
    await service.publishRequests([...wishes, tooMuch]);

    await eventually(async () => expect(await service.counts()).toEqual({ processing: OFFSETS, failed: 1 }));
    await eventually(async () => {
      expect(await service.messagesOf('offset.failed')).toMatchObject([{ key: tooMuch.id }]);
    });
    for (const app of apps) {
      await eventually(async () => expect((await app.inject('/health/ready')).statusCode).toBe(200));
    }
    expect(registry.calls.length).toBeLessThan(40);

    registry.behaves = honestly;
    await eventually(async () => expect(await service.counts()).toEqual({ completed: OFFSETS, failed: 1 }));
    expect(registry.ledger.map(({ offset }) => offset).sort()).toEqual(wishes.map(({ id }) => id).sort());
    await eventually(async () => {
      expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).toEqual([]);
    });
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
  });
});

describe('a service that is killed with -9 after its registry has retired, before that is written down', () => {
  it('leaves offsets to the next one, which asks what became of them and has none retired twice', async () => {
    const wishes = [1, 2, 3].map((kgCO2e) => request({ kgCO2e }));
    const victim = fork(FIXTURE, ['after the registry has retired, before that is written down'], {
      env: { ...inheritedEnvironment(), ...service.environment, REGISTRY_URL: registry.url },
      stdio: 'inherit',
    });
    await service.publishRequests(wishes);
    await eventually(() => expect(registry.ledger).toHaveLength(3));
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    expect(await service.counts()).toEqual({ processing: 3 });

    await service.launch({ REGISTRY_URL: registry.url });
    await eventually(async () => expect(await service.counts()).toEqual({ completed: 3 }));
    for (const { id } of wishes) {
      // Before it comes another GET where the offset is older than the first look at the database, which may have forgotten it.
      expect(registry.callsAbout(id).filter(({ method }) => method === 'POST')).toHaveLength(1);
      expect(registry.callsAbout(id).at(-1)?.method).toBe('GET');
    }
    expect(registry.ledger).toHaveLength(3);
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
  });
});
