import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const OFFSETS = 2_000;

describe('a service that is asked to stop', () => {
  it('stops in the middle of its work, in order and soon, and the next one goes on at once', async () => {
    const service = await TestService.create();
    await service.publishAssets([pool('a')]);
    await service.publishRequests(Array.from({ length: OFFSETS }, (_, n) => request({ kgCO2e: (n + 1) / 10 })));
    const first = fork(MAIN, { env: { ...inheritedEnvironment(), ...service.environment }, stdio: 'inherit' });
    await eventually(async () => expect((await service.counts()).completed ?? 0).toBeGreaterThan(0), { every: 10 });
    first.kill('SIGTERM');
    // A stop that takes too long exits with 1.
    expect(await once(first, 'exit')).toEqual([0, null]);

    await service.start();
    await eventually(async () => expect(await service.counts()).toEqual({ completed: OFFSETS }));
    await eventually(async () => {
      expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).toEqual([]);
    });
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
    expect(await service.messagesOf('offset.completed')).toHaveLength(OFFSETS);
    await service.close();
  });
});
