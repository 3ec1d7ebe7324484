import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { verify } from './ledger-cli/verify.js';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

const FIXTURE = resolve(import.meta.dirname, 'fixtures/stop-at.mjs');
const OFFSETS = 40;

describe('a service that is killed with -9', () => {
  it.concurrent.each([
    'after the requests are committed, before Kafka knows',
    'in the middle of the transaction that retires',
    'after credits are reserved, before they are retired',
    'after offsets are completed, before they are announced',
    'after an event is published, before it is marked',
  ])('%s, loses nothing and does nothing twice', async (line) => {
    const service = await TestService.create();
    await service.publishAssets([pool('a'), pool('b', { issued: 1 })]);
    const requests = Array.from({ length: OFFSETS }, (_, n) => request({ kgCO2e: n + 0.5 }));
    const victim = fork(FIXTURE, [line], {
      env: { ...inheritedEnvironment(), ...service.environment },
      stdio: 'inherit',
    });
    await service.publishRequests(requests);
    await stopped(victim);
    victim.kill('SIGKILL');
    await once(victim, 'exit');

    await service.start();
    await eventually(async () => {
      expect(await service.counts()).toEqual({ completed: OFFSETS });
      expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).toEqual([]);
    });
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
    expect(await inSnapshot(service.databaseUrl, (ask) => verify(ask, (fault) => expect(fault).toBe('')))).toBe(
      OFFSETS + (await splitOffsets(service)),
    );
    const events = await service.messagesOf('offset.completed');
    const ids = events.map(({ key, headers }) => `${key} ${headers.ce_id}`);
    expect(new Set(ids)).toEqual(new Set(requests.map(({ id }) => `${id} ${id}.offset.completed.v1`)));
    expect(await service.messagesOf('offset.failed')).toEqual([]);
    await service.close();
  });
});

async function stopped(child: ChildProcess): Promise<void> {
  const first = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['it ended by itself'])]);
  expect(first[0]).toBe('stopped');
}

/** Offsets that were served from two assets have one entry more. */
async function splitOffsets(service: TestService): Promise<number> {
  const rows = await service.rows('SELECT offset_id FROM ledger GROUP BY offset_id HAVING count(*) > 1');
  return rows.length;
}
