import { backoffMs, DeadlineExceeded, sleep, withIdleTimeout, withTimeout } from '../backoff.js';
import { type KafkaHandle, METADATA_MAX_AGE_MS, PrefixedNames } from '../kafka/create-kafka.js';
import { SILENT } from '../kafka/log.js';
import { until } from '../testing/kafka.js';
import { GROUP_TIMES, GroupConsumer } from './group-consumer.js';
import { PartitionOwnership, PartitionRevoked } from './partition-ownership.js';
import { Watchdog } from './watchdog.js';

describe('the ownership of a partition', () => {
  const holding = (heartbeat = async () => {}, partition = 2) => {
    const state = {
      running: true,
      stale: false,
      beats: 0,
      limits: [] as Error[],
      stop: new AbortController(),
      assignment: { requests: [0, 2] },
    };
    const payload = {
      heartbeat: () => {
        state.beats += 1;
        return heartbeat();
      },
      isRunning: () => state.running,
      isStale: () => state.stale,
      batch: { topic: 'requests', partition },
    };
    const onHandlerLimit = (error: Error) => state.limits.push(error);
    const times = { heartbeatMs: 10, handlerLimitMs: 60 };
    const at = { stopping: state.stop.signal, assignment: () => state.assignment };
    return { ownership: new PartitionOwnership(payload, { ...times, ...at, onHandlerLimit }), state };
  };
  type State = ReturnType<typeof holding>['state'];
  const lost = async () => {
    throw new Error('The group is rebalancing');
  };

  it('heartbeats while it sleeps, and wakes up when the partition is revoked', async () => {
    const { ownership, state } = holding();
    const paused = ownership.sleep(60_000);
    await until(() => expect(state.beats).toBeGreaterThanOrEqual(3));
    state.stop.abort();
    await expect(paused).rejects.toThrow(PartitionRevoked);
    await expect(holding(lost).ownership.sleep(60_000)).rejects.toThrow('The group is rebalancing');
  });

  it.each([
    ['it is no longer running', (state: State) => Object.assign(state, { running: false })],
    ['the position was moved', (state: State) => Object.assign(state, { stale: true })],
    ['it has joined again', (state: State) => Object.assign(state, { assignment: { requests: [0, 2] } })],
  ])('ends a sleep when %s', async (_when, change) => {
    const { ownership, state } = holding();
    const paused = ownership.sleep(60_000);
    change(state);
    await expect(paused).rejects.toThrow(PartitionRevoked);
  });

  it('heartbeats while work runs, and returns its outcome although the partition is revoked', async () => {
    const { ownership, state } = holding(lost);
    const work = () => until(() => expect(state.beats).toBeGreaterThanOrEqual(2)).then(() => 'done');
    await expect(ownership.withHeartbeats(work)).resolves.toBe('done');
    expect(() => ownership.check()).toThrow('The group is rebalancing');
  });

  it('confirms the membership before work begins, and begins none on a partition of another member', async () => {
    const { ownership, state } = holding();
    await ownership.confirm();
    expect(state.beats).toBe(1);
    await expect(holding(lost).ownership.confirm()).rejects.toThrow('The group is rebalancing');
    const other = holding(undefined, 1);
    await expect(other.ownership.confirm()).rejects.toThrow(PartitionRevoked);
    expect(other.state.beats).toBe(0);
  });

  it('allows finished work to be committed while the consumer stops or is removed, but not once it has joined again', async () => {
    const { ownership, state } = holding(lost);
    await ownership.heartbeat();
    state.stop.abort();
    expect(() => ownership.checkGeneration()).not.toThrow();
    state.assignment = { requests: [0, 2] };
    expect(() => ownership.checkGeneration()).toThrow(PartitionRevoked);
  });

  it('reports a handler that hangs', async () => {
    const { ownership, state } = holding();
    await ownership.withHeartbeats(() => until(() => expect(state.limits).toHaveLength(1)));
    expect(state.limits[0]?.message).toBe('A handler ran for more than 60 ms.');
  });
});

describe('the watchdog', () => {
  const watching = () => {
    const seen = { kafka: true, probes: 0, stalls: 0 };
    const probe = async () => {
      seen.probes += 1;
      return seen.kafka;
    };
    const onStall = () => {
      seen.stalls += 1;
    };
    const watchdog = new Watchdog({ ticks: 3, probe, onStall });
    const ticks = async (count: number) => {
      for (let n = 0; n < count; n += 1) await watchdog.tick();
    };
    return { watchdog, seen, ticks };
  };

  it('probes nothing while there are signs of life', async () => {
    const { watchdog, seen, ticks } = watching();
    for (let n = 0; n < 10; n += 1) {
      await ticks(3);
      watchdog.alive();
    }
    expect(seen).toMatchObject({ probes: 0, stalls: 0 });
  });

  it('reports a consumer that is silent while Kafka has answered for as long again', async () => {
    const { seen, ticks } = watching();
    await ticks(6);
    expect(seen.stalls).toBe(0);
    await ticks(1);
    expect(seen.stalls).toBe(1);
  });

  it('reports nothing while Kafka is unreachable, and gives the consumer time to recover', async () => {
    const { watchdog, seen, ticks } = watching();
    seen.kafka = false;
    await ticks(100);
    seen.kafka = true;
    await ticks(3);
    expect(seen.stalls).toBe(0);
    watchdog.alive();
    await ticks(6);
    expect(seen.stalls).toBe(0);
  });
});

describe('a member of a group', () => {
  it('leaves no timer behind when it is closed after a failed attempt to join', async () => {
    let attempts = 0;
    const consumer = {
      events: {},
      on: () => {},
      connect: async () => {},
      subscribe: async () => {},
      disconnect: async () => {},
      run: async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('The coordinator is not available.');
      },
    };
    const client = { consumer: () => consumer } as unknown as KafkaHandle['client'];
    const kafka = { client, names: new PrefixedNames(''), logger: SILENT, metadataMaxAgeMs: METADATA_MAX_AGE_MS };
    const settings = { groupId: 'offsets', topic: 'offset.requested', times: GROUP_TIMES, concurrentPartitions: 1 };
    const { setInterval: set, clearInterval: clear } = globalThis;
    const open = new Set<unknown>();
    globalThis.setInterval = ((...parameters: Parameters<typeof set>) => {
      const timer = set(...parameters);
      open.add(timer);
      return timer;
    }) as typeof set;
    globalThis.clearInterval = (timer) => {
      open.delete(timer);
      clear(timer);
    };
    const onFatal = () => {};
    const member = new GroupConsumer(kafka, { ...settings, findStartPositions: undefined, onFatal }, async () => {});
    try {
      member.start();
      await until(() => expect(attempts).toBe(2));
      expect(open.size).toBeGreaterThan(0);
      await member.close();
      expect(open.size).toBe(0);
    } finally {
      Object.assign(globalThis, { setInterval: set, clearInterval: clear });
      for (const timer of open) clear(timer as NodeJS.Timeout);
    }
  });
});

describe('a member that Kafka refuses while it runs', () => {
  it.each([
    ['its credentials', new Error('SASL SCRAM-SHA-256 authentication failed: wrong credentials')],
    ['its group', Object.assign(new Error('Not authorized'), { type: 'GROUP_AUTHORIZATION_FAILED' })],
  ])('for %s joins again, and does not end the process', async (_, error) => {
    let attempts = 0;
    let crash = (_event: unknown) => {};
    const consumer = {
      events: { CRASH: 'crash' },
      on: (event: string, listener: typeof crash) => {
        if (event === 'crash') crash = listener;
      },
      connect: async () => {},
      subscribe: async () => {},
      disconnect: async () => {},
      run: async () => {
        attempts += 1;
      },
    };
    const client = { consumer: () => consumer } as unknown as KafkaHandle['client'];
    const kafka = { client, names: new PrefixedNames(''), logger: SILENT, metadataMaxAgeMs: METADATA_MAX_AGE_MS };
    const fatal: Error[] = [];
    const onFatal = (one: Error) => void fatal.push(one);
    const settings = { groupId: 'offsets', topic: 'offset.requested', times: GROUP_TIMES, concurrentPartitions: 1 };
    const member = new GroupConsumer(kafka, { ...settings, findStartPositions: undefined, onFatal }, async () => {});
    member.start();
    await until(() => expect(attempts).toBe(1));
    crash({ payload: { error, restart: false } });
    await until(() => expect(attempts).toBe(2));
    expect(fatal).toEqual([]);
    await member.close();
  });
});

describe('backoff', () => {
  it('doubles the first delay up to the last, with jitter over the upper half', () => {
    const backOff = { initialMs: 100, maxMs: 1_000 };
    const pauses = [1, 2, 3, 4, 5, 6, 1_000].map((failures) => backoffMs(failures, backOff, 1));
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
    expect(backoffMs(2 ** 31, { initialMs: 600_000, maxMs: 3_600_000 }, 1)).toBe(3_600_000);
    expect(backoffMs(1, backOff, 0)).toBe(50);
    expect(backoffMs(3, backOff, 0.5)).toBe(300);
  });

  it('ends a sleep at the signal, without an error', async () => {
    const stop = new AbortController();
    const paused = sleep(60_000, stop.signal);
    stop.abort();
    await paused;
    await sleep(60_000, stop.signal);
  });

  it('times out what never settles or falls silent, and passes on what settles', async () => {
    await expect(withTimeout(10, new Promise(() => {}))).rejects.toThrow('no answer for 0.01 s');
    await expect(withTimeout(1_000, Promise.resolve(7))).resolves.toBe(7);
    const active = async (onActivity: () => void) => {
      for (let n = 0; n < 20; n += 1) {
        await sleep(10);
        onActivity();
      }
      return 'done';
    };
    await expect(withIdleTimeout(150, active)).resolves.toBe('done');
    await expect(withIdleTimeout(10, () => new Promise(() => {}))).rejects.toThrow(DeadlineExceeded);
    await expect(withTimeout(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
