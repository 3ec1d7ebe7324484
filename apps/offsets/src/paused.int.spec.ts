import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { inheritedEnvironment } from '@carbon/config';
import { eventually } from '@carbon/testing';
import { audit } from './ledger-cli/audit.js';
import { inSnapshot } from './ledger-cli/snapshot.js';
import { pool, request } from './test-events.js';
import { type Exchange, honestly, refuses, says, TestRegistry } from './test-registry.js';
import { TestService } from './test-service.js';

const MAIN = resolve(import.meta.dirname, '../dist/main.js');
/**
 * Longer than any lease: the call stays open while the process sleeps. Room for more than the six: those that come in a second
 * batch would else wait until a quarter of all calls is free.
 */
const PATIENT = { REGISTRY_TIMEOUT_MS: 100_000, REGISTRY_CONCURRENCY: 8 };
const LATE = 'Answers came too late: their offsets are not held any more.';

/** How many answers the process has said to have come too late. */
function lateAnswersOf(child: ChildProcess): () => number {
  let late = 0;
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes(LATE)) late += (JSON.parse(line) as { count: number }).count;
    });
  }
  return () => late;
}

describe('a process that is paused past its lease while the registry is being asked', () => {
  let zombie: ChildProcess | undefined;
  // After a failed test: a process that is left would keep the whole run from ending.
  afterEach(() => zombie?.kill('SIGKILL'));

  it('changes nothing when it goes on after another has finished its work, whatever it is told then', async () => {
    const [service, registry] = [await TestService.create(), await TestRegistry.start()];
    await service.publishAssets([pool('a'), pool('b', { issued: 0.002, price: 1 })]);
    const open: Exchange[] = [];
    registry.behaves = (exchange) => void open.push(exchange);
    const sleeper = fork(MAIN, {
      env: {
        ...inheritedEnvironment(),
        ...service.environment,
        LOG_LEVEL: 'warn',
        REGISTRY_URL: registry.url,
        REGISTRY_TIMEOUT_MS: String(PATIENT.REGISTRY_TIMEOUT_MS),
        REGISTRY_CONCURRENCY: String(PATIENT.REGISTRY_CONCURRENCY),
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    zombie = sleeper;
    const late = lateAnswersOf(sleeper);
    const wishes = Array.from({ length: 6 }, (_, n) => request({ kgCO2e: n + 0.5 }));
    await service.publishRequests(wishes);
    await eventually(() => expect(open).toHaveLength(6));
    // Two of the six are retired by now, though nobody was told.
    for (const exchange of open.slice(0, 2)) exchange.apply();
    sleeper.kill('SIGSTOP');

    registry.behaves = honestly;
    await service.launch({ REGISTRY_URL: registry.url, ...PATIENT });
    await eventually(async () => {
      expect(await service.counts()).toEqual({ completed: 6 });
      expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL')).toEqual([]);
    });
    const before = await everything(service);

    const [done, done2, refused, refused2, unknown, unknown2] = open as [Exchange, ...Exchange[]];
    for (const exchange of [done, done2]) exchange?.honestly();
    for (const exchange of [refused, refused2]) exchange && refuses(422)(exchange);
    for (const exchange of [unknown, unknown2]) exchange && says(500, {})(exchange);
    sleeper.kill('SIGCONT');
    await eventually(() => expect(late()).toBe(6));
    expect(await everything(service)).toEqual(before);
    sleeper.kill('SIGTERM');
    expect(await once(sleeper, 'exit')).toEqual([0, null]);
    expect(await everything(service)).toEqual(before);

    expect(registry.ledger.map(({ offset }) => offset).sort()).toEqual(wishes.map(({ id }) => id).sort());
    expect(await inSnapshot(service.databaseUrl, audit)).toEqual({ faults: [], warnings: [] });
    expect(await service.messagesOf('offset.completed')).toHaveLength(6);
    expect(await service.messagesOf('offset.failed')).toEqual([]);
    await service.close();
    await registry.stop();
  });
});

/** Every row that the steps write. */
async function everything(service: TestService) {
  return {
    offsets: await service.rows('SELECT * FROM offsets ORDER BY id'),
    supply: await service.rows('SELECT * FROM supply ORDER BY asset_id'),
    reservations: await service.rows('SELECT * FROM reservations ORDER BY offset_id, asset_id'),
    ledger: await service.rows('SELECT * FROM ledger ORDER BY asset_id, sequence'),
    outbox: await service.rows('SELECT * FROM outbox ORDER BY event_id'),
  };
}
