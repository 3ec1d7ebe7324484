import { once } from 'node:events';
import { readMessages, topicEnds } from '@carbon/messaging';
import { eventually } from '@carbon/testing';
import { pool, request } from './testing/events.js';
import { auditOf, expectConsistent } from './testing/ledger.js';
import { MAIN, TestService } from './testing/service.js';

let service: TestService;
beforeEach(async () => {
  service = await TestService.create();
});
afterEach(() => service.close());

describe('thousands of random offsets on three instances, delivered twice, with supply changing', () => {
  const OFFSETS = 6_000;
  const SEED = 20_261_121;

  /** Small and reproducible: the same offsets in every run. */
  function random(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  it('are accounted for to the gram, each with one event', async () => {
    const next = random(SEED);
    const assets = Array.from({ length: 80 }, (_, n) =>
      pool(`p${n}`, { price: Math.round(next() * 1e6) / 1e4, issued: Math.round(next() * 40e6) / 1e6, rating: n % 6 }),
    );
    await service.publishAssets(assets);
    const requests = Array.from({ length: OFFSETS }, () => request({ kgCO2e: Math.round(next() * 800e3 + 1) / 1e3 }));
    await Promise.all([service.start(), service.start(), service.start()]);
    await service.publishRequests(requests);
    await service.publishAssets(assets.map((asset) => ({ ...asset, issued: Math.round(next() * 40e6) / 1e6 })));
    await service.publishRequests(requests.filter((_, n) => n % 3 === 0));

    const counts = await eventually(
      async () => {
        const found = await service.counts();
        expect((found.completed ?? 0) + (found.failed ?? 0)).toBe(OFFSETS);
        expect(await service.rows('SELECT id FROM offsets WHERE announced_at IS NULL LIMIT 1')).toEqual([]);
        return found;
      },
      { within: 180_000, every: 200 },
    );
    expect(counts.failed).toBeGreaterThan(0);
    expect(counts.completed).toBeGreaterThan(OFFSETS / 4);
    await expectConsistent(service.databaseUrl);
    const [sold] = await service.rows(
      'SELECT sum(retired) = (SELECT sum(grams) FROM offsets WHERE completed_at IS NOT NULL) AS all FROM supply',
    );
    expect(sold).toEqual({ all: true });
    const events = await service.messagesOf('offset.completed');
    expect(new Set(events.map(({ key }) => key)).size).toBe(counts.completed);
  });
});

describe('a backlog of 40,000 events, as after a long outage of Kafka', () => {
  const EVENTS = 40_000;
  const EVENT_BYTES = 3_200;
  /** Little more than half of what the events take: a process that loaded all of them would run out of memory. */
  const HEAP_MB = 80;

  it('is published by a process with less memory than it takes', async () => {
    await service.sql.query(
      `INSERT INTO outbox (event_id, offset_id, type, payload, created_at)
       SELECT 'off_' || n || '.offset.failed.v1', 'off_' || n, 'offset.failed.v1',
         json_build_object('noise', repeat(md5(n::text), ${EVENT_BYTES / 32})),
         now() - n * interval '1 ms'
       FROM generate_series(1, ${EVENTS}) AS n`,
    );
    // Without the compile cache, which would take memory as well.
    const heap = { execArgv: [`--max-old-space-size=${HEAP_MB}`] };
    const child = service.fork({ NODE_DISABLE_COMPILE_CACHE: '1' }, MAIN, [], heap);
    const left = 'SELECT event_id FROM outbox WHERE published_at IS NULL LIMIT 1';
    await eventually(
      async () => {
        expect([child.exitCode, child.signalCode]).toEqual([null, null]);
        expect(await service.rows(left)).toEqual([]);
      },
      { within: 500_000, every: 200 },
    );
    // An event may be published twice.
    const keys = new Set<string>();
    const ends = await topicEnds(service.kafka(), 'offset.failed');
    await readMessages(service.kafka(), 'offset.failed', ends, (_, { key }) => void keys.add(String(key)));
    expect(keys.size).toBe(EVENTS);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }, 560_000);
});

describe('a service that gets SIGTERM', () => {
  const OFFSETS = 2_000;

  it('stops during its work, in order and quickly, and the next process continues at once', async () => {
    await service.publishAssets([pool('a')]);
    await service.publishRequests(Array.from({ length: OFFSETS }, (_, n) => request({ kgCO2e: (n + 1) / 10 })));
    const first = service.fork();
    await eventually(async () => expect((await service.counts()).completed ?? 0).toBeGreaterThan(0), { every: 10 });
    first.kill('SIGTERM');
    // A shutdown that takes too long exits with 1.
    expect(await once(first, 'exit')).toEqual([0, null]);

    await service.start();
    await service.reaches({ completed: OFFSETS });
    expect(await auditOf(service.databaseUrl)).toEqual({ violations: [], warnings: [] });
    const announced = await service.messagesOf('offset.completed');
    expect(new Set(announced.map(({ key }) => key)).size).toBe(OFFSETS);
  });
});
