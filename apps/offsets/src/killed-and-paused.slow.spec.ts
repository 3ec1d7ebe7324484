import { type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@carbon/testing';
import { pool, request } from './testing/events.js';
import { auditOf, expectConsistent } from './testing/ledger.js';
import { answerJson, type Behaviour, confirmOrder, type Exchange, refuse, TestRegistry } from './testing/registry.js';
import { MAIN, TestService } from './testing/service.js';

const STOP_AT = resolve(import.meta.dirname, 'testing/stop-at.mjs');
const OFFSETS = 40;

describe('a service that is killed with -9', () => {
  it.concurrent.each([
    'after the requests are committed, before Kafka knows',
    'in the middle of the transaction that retires',
    'after credits are reserved, before they are retired',
    'after offsets are completed, before they are published',
    'after an event is published, before it is marked',
  ])('%s, loses nothing and does nothing twice', async (line) => {
    const service = await TestService.create();
    await service.publishAssets([pool('a'), pool('b', { issued: 1 })]);
    const requests = Array.from({ length: OFFSETS }, (_, n) => request({ kgCO2e: n + 0.5 }));
    const victim = service.fork({}, STOP_AT, [line]);
    await service.publishRequests(requests);
    const [said] = await Promise.race([
      once(victim, 'message'),
      once(victim, 'exit').then(() => ['it ended by itself']),
    ]);
    expect(said).toBe('stopped');
    victim.kill('SIGKILL');
    await once(victim, 'exit');

    await service.start();
    await service.reaches({ completed: OFFSETS });
    await expectConsistent(service.databaseUrl);
    const events = await service.messagesOf('offset.completed');
    const ids = events.map(({ key, headers }) => `${key} ${headers.ce_id}`);
    expect(new Set(ids)).toEqual(new Set(requests.map(({ id }) => `${id} ${id}.offset.completed.v1`)));
    expect(await service.messagesOf('offset.failed')).toEqual([]);
    await service.close();
  });

  it('after its registry has retired, before that is recorded, leaves offsets to the next process, which retires none twice', async () => {
    const [service, registry] = [await TestService.create(), await TestRegistry.start()];
    await service.publishAssets([pool('a')]);
    const requests = [1, 2, 3].map((kgCO2e) => request({ kgCO2e }));
    const line = 'after the registry has retired, before that is written down';
    const victim = service.fork({ REGISTRY_URL: registry.url }, STOP_AT, [line]);
    await service.publishRequests(requests);
    await eventually(() => expect(registry.ledger).toHaveLength(3));
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    expect(await service.counts()).toEqual({ processing: 3 });

    await service.launch({ REGISTRY_URL: registry.url });
    await service.reaches({ completed: 3 });
    for (const { id } of requests) {
      // A GET also precedes the POST if the offset is older than the process's first query: the database may have forgotten
      // the call.
      const methods = registry.callsAbout(id).map(({ method }) => method);
      expect([methods.filter((method) => method === 'POST').length, methods.at(-1)]).toEqual([1, 'GET']);
    }
    expect(registry.ledger).toHaveLength(3);
    await expectConsistent(service.databaseUrl);
    await service.close();
    await registry.stop();
  });
});

describe('a process that is suspended past its lease during a call to the registry', () => {
  /**
   * Longer than any lease: the call stays open while the process is suspended. The concurrency is higher than six,
   * because a second batch would otherwise wait until a quarter of all calls is free.
   */
  const PATIENT = { REGISTRY_TIMEOUT_MS: 100_000, REGISTRY_CONCURRENCY: 8 };
  const PIPED: ForkOptions = { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] };
  const LATE = 'Answers arrived after the lease of their offsets had expired.';

  /** Returns how many answers the process has logged as too late. */
  function lateAnswersOf(child: ChildProcess): () => number {
    let late = 0;
    if (child.stdout) {
      createInterface(child.stdout).on('line', (line) => {
        if (line.includes(LATE)) late += (JSON.parse(line) as { count: number }).count;
      });
    }
    return () => late;
  }

  it('changes nothing when it continues after another process has finished its work, whatever the registry answers then', async () => {
    const [service, registry] = [await TestService.create(), await TestRegistry.start()];
    await service.publishAssets([pool('a'), pool('b', { issued: 0.002, price: 1 })]);
    const open: Exchange[] = [];
    registry.behaviour = (exchange) => void open.push(exchange);
    const patient = Object.fromEntries(Object.entries(PATIENT).map(([name, value]) => [name, String(value)]));
    const suspended = service.fork({ LOG_LEVEL: 'warn', REGISTRY_URL: registry.url, ...patient }, MAIN, [], PIPED);
    const late = lateAnswersOf(suspended);
    const requests = Array.from({ length: 6 }, (_, n) => request({ kgCO2e: n + 0.5 }));
    await service.publishRequests(requests);
    await eventually(() => expect(open).toHaveLength(6));
    // Two of the six are retired by now, but the service does not know it.
    for (const exchange of open.slice(0, 2)) exchange.apply();
    suspended.kill('SIGSTOP');

    registry.behaviour = confirmOrder;
    await service.launch({ REGISTRY_URL: registry.url, ...PATIENT });
    await service.reaches({ completed: 6 });
    const before = await service.contents();

    const answers: Behaviour[] = [
      confirmOrder,
      confirmOrder,
      refuse(422),
      refuse(422),
      answerJson(500, {}),
      answerJson(500, {}),
    ];
    for (const [n, exchange] of open.entries()) answers[n]?.(exchange);
    suspended.kill('SIGCONT');
    await eventually(() => expect(late()).toBe(6));
    expect(await service.contents()).toEqual(before);
    suspended.kill('SIGTERM');
    expect(await once(suspended, 'exit')).toEqual([0, null]);
    expect(await service.contents()).toEqual(before);

    expect(registry.ledger.map(({ offset }) => offset).sort()).toEqual(requests.map(({ id }) => id).sort());
    expect(await auditOf(service.databaseUrl)).toEqual({ violations: [], warnings: [] });
    // An event may be published twice.
    const announced = await service.messagesOf('offset.completed');
    expect(new Set(announced.map(({ key }) => key)).size).toBe(6);
    expect(await service.messagesOf('offset.failed')).toEqual([]);
    await service.close();
    await registry.stop();
  });
});
