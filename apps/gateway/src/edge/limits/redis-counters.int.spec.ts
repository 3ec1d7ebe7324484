import { type RunningEngines, startEngines, type TemporaryDir, temporaryDir } from '@carbon/local';
import { eventually, freshPrefix } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { createClient } from '@redis/client';
import { startTcp } from '../../test-upstream.js';
import type { Limit } from './bucket.js';
import { Counters } from './counters.js';
import { Late } from './in-time.js';
import { OwnCounters } from './own-counters.js';
import { RedisCounters } from './redis-counters.js';

/** So long that no answer is late because the machine is busy; where lateness is what is tested, it is 50 ms. */
const PATIENT_MS = 10_000;
const DEADLINE_MS = 50;
const LOOK_MS = 200;
const LIMIT: Limit = { perSecond: 1, burst: 40 };

let folder: TemporaryDir;
let engines: RunningEngines;
let url = '';
let admin: ReturnType<typeof createClient>;
const open: RedisCounters[] = [];

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = await temporaryDir();
  engines = await startEngines({ dir: folder.dir, which: ['redis'] });
  url = engines.addresses.redisUrl ?? '';
  admin = createClient({ url });
  admin.on('error', () => {});
  await admin.connect();
});
afterAll(async () => {
  for (const counters of open) counters.close();
  admin.destroy();
  await engines.stop();
  folder.remove();
});

/** Counters of a gateway, connected, with a prefix of their own unless told. */
async function redisCounters({ at = url, prefix = freshPrefix(), deadlineMs = PATIENT_MS } = {}) {
  const counters = await unconnected({ at, prefix, deadlineMs });
  await eventually(() => counters.check());
  return counters;
}

async function unconnected({ at = url, prefix = 'u:', deadlineMs = PATIENT_MS } = {}) {
  const counters = new RedisCounters({ url: at, prefix, deadlineMs, lookEveryMs: LOOK_MS });
  open.push(counters);
  return counters;
}

/** A gateway's counters as they are used: Redis, and the process's own beside it. */
function gateway(redis: RedisCounters): Counters {
  return new Counters(new OwnCounters({ most: 1_000, now: longAgo() }), redis);
}

/** A clock that began long before it is first looked at again, so that the process's own buckets are full. */
function longAgo(): () => number {
  let begun = false;
  return () => {
    const now = Math.floor(performance.now() * 1_000);
    if (begun) return now;
    begun = true;
    return now - 3_600_000_000;
  };
}

async function admitted(counters: Counters, bucket: string, asked: number, limit = LIMIT): Promise<number> {
  const all = await Promise.all(Array.from({ length: asked }, () => counters.take(bucket, limit)));
  return all.filter((counted) => counted.admitted).length;
}

/** To be called before 35 are admitted. @returns how many more may be by now, with those that came back meanwhile */
function leftOf35(): () => number {
  const begun = performance.now();
  return () => LIMIT.burst - 35 + Math.ceil(((performance.now() - begun) / 1_000) * LIMIT.perSecond);
}

describe('counters in Redis', () => {
  it('keep two gateways together within one limit', async () => {
    const [one, other] = [
      gateway(await redisCounters({ prefix: 'both:' })),
      gateway(await redisCounters({ prefix: 'both:' })),
    ];
    const begun = performance.now();
    const both = [0, 0];
    for (let round = 0; round < 6; round += 1) {
      both[0] = (both[0] ?? 0) + (await admitted(one, 'a', 10));
      both[1] = (both[1] ?? 0) + (await admitted(other, 'a', 10));
    }
    const most = LIMIT.burst + Math.ceil((performance.now() - begun) / 1_000);
    const sum = both.reduce((all, part) => all + part);
    expect(sum).toBeGreaterThanOrEqual(LIMIT.burst);
    expect(sum).toBeLessThanOrEqual(most);
    expect(Math.min(...both)).toBeGreaterThanOrEqual(20);
  });

  it('are asked by one script a request, and not at all for who is known to have nothing left', async () => {
    const redis = await redisCounters();
    const counters = gateway(redis);
    await admitted(counters, 'a', 60);
    const before = await callsOf('evalsha');
    const refused = await counters.take('a', LIMIT);
    expect(refused).toEqual({ admitted: false, by: 'own', debt: expect.any(Number) });
    expect(counters.take('b', LIMIT)).toBeInstanceOf(Promise);
    await counters.take('c', LIMIT);
    // The looks of every second ask as well.
    expect((await callsOf('evalsha')) - before).toBeLessThanOrEqual(2 + 2 * open.length);
    expect(await callsOf('get')).toBeGreaterThan(0);
  });

  it('leave nothing behind when their buckets are full again', async () => {
    const redis = await redisCounters({ prefix: 'gone:' });
    const quick = { perSecond: 10, burst: 20 };
    await admitted(gateway(redis), 'a', 15, quick);
    expect(await admin.keys('gone:a')).toEqual(['gone:a']);
    const left = await admin.pTTL('gone:a');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(2_000);
    await eventually(async () => expect(await admin.keys('gone:a')).toEqual([]));
    const all = await admin.keys('*');
    expect(await Promise.all(all.map((key) => admin.pTTL(key)))).not.toContain(-1);
  });

  it('go on when Redis has forgotten the script', async () => {
    const redis = await redisCounters();
    await redis.take('a', LIMIT, 0);
    await admin.scriptFlush();
    expect(await redis.take('a', LIMIT, 0)).toMatchObject({ admitted: true });
  });

  it('take what the gateway knows where Redis has lost it, so that nobody has a burst again', async () => {
    const redis = await redisCounters({ prefix: 'lost:' });
    const counters = gateway(redis);
    const left = leftOf35();
    expect(await admitted(counters, 'a', 35)).toBe(35);
    await admin.del('lost:a');
    expect(await admitted(counters, 'a', 20)).toBeLessThanOrEqual(left());
  });
});

describe('counters in a Redis that gives wrong answers', () => {
  it('leave the decision to the process’s own where a key holds something else', async () => {
    const redis = await redisCounters({ prefix: 'wrong:' });
    await admin.lPush('wrong:a', 'not a number');
    expect(await gateway(redis).take('a', LIMIT)).toMatchObject({ admitted: true, by: 'own' });
    await admin.set('wrong:b', 'not a number either');
    expect(await gateway(redis).take('b', LIMIT)).toMatchObject({ admitted: true, by: 'redis' });
  });

  it.each([
    ['a number', ':1'],
    ['a text', '$5\r\nhello'],
    ['too little', '*1\r\n:1'],
    ['what cannot be', '*2\r\n:7\r\n:-5'],
    ['a refusal', '-OOM command not allowed when used memory > maxmemory'],
    ['what is no answer at all', 'HTTP/1.1 400 Bad Request'],
  ])('leave the decision to the process’s own where the script is answered with %s', async (_what, answer) => {
    const server = await startTcp((socket) => {
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        const commands = text.match(/\*\d+\r\n/g)?.length ?? 0;
        socket.write(text.includes('EVAL') ? `${answer}\r\n` : '+OK\r\n'.repeat(commands));
      });
    });
    const redis = await unconnected({ at: `redis://127.0.0.1:${server.port}` });
    await eventually(() => redis.check());
    const counters = gateway(redis);
    for (let round = 0; round < 5; round += 1) {
      expect(await counters.take('a', LIMIT)).toMatchObject({ admitted: true, by: 'own' });
    }
    await eventually(() => expect(redis.answers).toBe(false));
    redis.close();
    await server.close();
  });

  it('leave the decision to the process’s own where the password is wrong', async () => {
    const redis = await unconnected({ at: url.replace(/:[^:@]+@/, ':wrong@') });
    expect(await gateway(redis).take('a', LIMIT)).toMatchObject({ admitted: true, by: 'own' });
    await eventually(() => expect(() => redis.check()).toThrow(expect.objectContaining({ cause: expect.anything() })));
  });
});

describe('counters in a Redis that is away', () => {
  it('are sought by a new connection when the old one says nothing any more, as one does that was cut silently', async () => {
    let connections = 0;
    const server = await startTcp((socket) => {
      connections += 1;
      socket.on('data', (chunk) => {
        // It takes the password and so on, and never answers a question.
        if (!chunk.includes('EVAL')) socket.write('+OK\r\n'.repeat(chunk.toString('latin1').split('*').length - 1));
      });
    });
    const redis = await unconnected({ at: `redis://:word@127.0.0.1:${server.port}`, deadlineMs: DEADLINE_MS });
    await eventually(() => expect(connections).toBeGreaterThanOrEqual(2));
    expect(redis.answers).toBe(false);
    redis.close();
    await server.close();
  });

  it('cost a request nothing when it was killed, go on from what was left, and are asked again when it is back', async () => {
    const redis = await redisCounters();
    const counters = gateway(redis);
    const left = leftOf35();
    expect(await admitted(counters, 'a', 35)).toBe(35);
    await engines.part('redis').kill('SIGKILL');
    await eventually(() => expect(redis.answers).toBe(false));
    // Not even a promise: nothing is waited for.
    expect(counters.take('a', LIMIT)).toMatchObject({ admitted: true, by: 'own' });
    const went = await admitted(counters, 'a', 20);
    await engines.part('redis').ready();
    await eventually(() => redis.check());
    expect(await counters.take('b', LIMIT)).toMatchObject({ admitted: true, by: 'redis' });
    expect(went + (await admitted(counters, 'a', 20))).toBeLessThanOrEqual(left());
  });

  it('cost few requests their deadline and the rest nothing when it hangs, and are asked again when it goes on', async () => {
    const redis = await redisCounters({ deadlineMs: DEADLINE_MS });
    const counters = gateway(redis);
    await counters.take('a', LIMIT);
    await engines.part('redis').kill('SIGSTOP');
    try {
      // The signal takes its time to arrive.
      await eventually(async () => {
        const begun = performance.now();
        await expect(redis.take('a', LIMIT, 0)).rejects.toThrow(Late);
        expect(performance.now() - begun).toBeGreaterThanOrEqual(DEADLINE_MS - 1);
      });
      let waited = 0;
      for (let round = 0; round < 30; round += 1) {
        const counted = counters.take('a', LIMIT);
        if (counted instanceof Promise) waited += 1;
        expect(await counted).toMatchObject({ admitted: true, by: 'own' });
      }
      expect(waited).toBeLessThanOrEqual(3);
      expect(redis.answers).toBe(false);
    } finally {
      await engines.part('redis').kill('SIGCONT');
    }
    await eventually(() => redis.check());
    expect(await counters.take('c', LIMIT)).toMatchObject({ admitted: true, by: 'redis' });
  });
});

/** How often Redis has run a command, scripts' included. */
async function callsOf(command: string): Promise<number> {
  const stats = await admin.info('commandstats');
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}
