import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { LEASE_SECONDS } from './persistence/lease.js';
import { pool, request } from './test-events.js';
import { TestService } from './test-service.js';

const FIXTURE = resolve(import.meta.dirname, 'fixtures/pause-relay.mjs');
const OFFSETS = 30;

describe('a relay that is paused past its lease after it has published, before it has marked', () => {
  it('is taken over when its lease is over, and changes nothing when it goes on', async () => {
    const service = await TestService.create();
    await service.publishAssets([pool('a')]);
    const zombie = fork(FIXTURE, {
      env: { ...inheritedEnvironment(), ...service.environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const requests = Array.from({ length: OFFSETS }, (_, n) => request({ kgCO2e: n + 0.5 }));
    await service.publishRequests(requests);
    expect(await once(zombie, 'message')).toEqual(['stopping', undefined]);
    await eventually(() => expect(stateOf(zombie)).toBe('T'));
    const [before] = await service.rows<{ held: number; seconds: number }>(
      `SELECT count(lease_token)::integer AS held, extract(epoch FROM max(lease_until) - now())::float AS seconds
       FROM outbox WHERE published_at IS NULL`,
    );
    expect(before?.held).toBeGreaterThan(0);
    expect(before?.seconds).toBeLessThanOrEqual(LEASE_SECONDS);

    await service.start();
    await eventually(async () => {
      expect(
        await service.rows('SELECT event_id FROM outbox WHERE published_at IS NULL AND lease_until < now()'),
      ).toEqual([]);
      expect(await service.rows('SELECT event_id FROM outbox WHERE published_at IS NULL')).toEqual([]);
    });
    await eventually(async () => {
      expect(await service.counts()).toEqual({ completed: OFFSETS });
      expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).toEqual([]);
    });
    const done = await everything(service);

    zombie.kill('SIGCONT');
    expect(await once(zombie, 'message')).toEqual(['marked', undefined]);
    expect(await everything(service)).toEqual(done);
    zombie.kill('SIGTERM');
    expect(await once(zombie, 'exit')).toEqual([0, null]);
    expect(await everything(service)).toEqual(done);

    const events = await service.messagesOf('offset.completed');
    const ids = events.map(({ headers }) => headers.ce_id);
    expect(new Set(ids)).toEqual(new Set(requests.map(({ id }) => `${id}.offset.completed.v1`)));
    // What the zombie had published came once more, as the same events; nothing came oftener.
    expect(ids.length).toBe(OFFSETS + (before?.held ?? 0));
    for (const { key, headers, value } of events) {
      const same = events.find((other) => other.key === key);
      expect([headers, value]).toEqual([same?.headers, same?.value]);
    }
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
    await service.close();
  });
});

/** The state of a process, by its letter: `T` is stopped. */
function stateOf({ pid }: ChildProcess): string | undefined {
  return /\) (\S) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

async function everything(service: TestService) {
  return {
    offsets: await service.rows('SELECT * FROM offsets ORDER BY id'),
    outbox: await service.rows('SELECT * FROM outbox ORDER BY event_id'),
    ledger: await service.rows('SELECT * FROM ledger ORDER BY asset_id, sequence'),
    supply: await service.rows('SELECT * FROM supply ORDER BY asset_id'),
  };
}
