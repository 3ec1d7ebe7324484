import { pause, pauseAfter, within } from '../back-off.js';
import { until } from '../testing/kafka.js';
import { PartitionHold, PartitionReleased } from './hold.js';
import { Watchdog } from './watchdog.js';

describe('the hold on a partition', () => {
  const holding = (heartbeat = async () => {}, partition = 2) => {
    const state = {
      running: true,
      stale: false,
      beats: 0,
      overrun: [] as Error[],
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
    const onOverrun = (error: Error) => state.overrun.push(error);
    const times = { beatMs: 10, overrunMs: 60 };
    const at = { stopping: state.stop.signal, assignment: () => state.assignment };
    return { hold: new PartitionHold(payload, { ...times, ...at, onOverrun }), state };
  };
  type State = ReturnType<typeof holding>['state'];
  const lost = async () => {
    throw new Error('The group is rebalancing');
  };

  it('heartbeats in a pause, and ends it when the place is lost', async () => {
    const { hold, state } = holding();
    const paused = hold.pause(60_000);
    await until(() => expect(state.beats).toBeGreaterThanOrEqual(3));
    state.stop.abort();
    await expect(paused).rejects.toThrow(PartitionReleased);
    await expect(holding(lost).hold.pause(60_000)).rejects.toThrow('The group is rebalancing');
  });

  it.each([
    ['it is no longer running', (state: State) => Object.assign(state, { running: false })],
    ['the position was moved', (state: State) => Object.assign(state, { stale: true })],
    ['it has joined anew', (state: State) => Object.assign(state, { assignment: { requests: [0, 2] } })],
  ])('ends a pause when %s', async (_when, change) => {
    const { hold, state } = holding();
    const paused = hold.pause(60_000);
    change(state);
    await expect(paused).rejects.toThrow(PartitionReleased);
  });

  it('heartbeats while work runs, and passes on what becomes of the work though the place is lost', async () => {
    const { hold, state } = holding(lost);
    const work = () => until(() => expect(state.beats).toBeGreaterThanOrEqual(2)).then(() => 'done');
    await expect(hold.during(work)).resolves.toBe('done');
    expect(() => hold.check()).toThrow('The group is rebalancing');
  });

  it('asks the group before work begins, and begins none on a partition that is not its own', async () => {
    const { hold, state } = holding();
    await hold.confirm();
    expect(state.beats).toBe(1);
    await expect(holding(lost).hold.confirm()).rejects.toThrow('The group is rebalancing');
    const other = holding(undefined, 1);
    await expect(other.hold.confirm()).rejects.toThrow(PartitionReleased);
    expect(other.state.beats).toBe(0);
  });

  it('lets finished work be committed while the consumer stops or the place is lost, but not once it has joined anew', async () => {
    const { hold, state } = holding(lost);
    await hold.beat();
    state.stop.abort();
    expect(() => hold.checkGeneration()).not.toThrow();
    state.assignment = { requests: [0, 2] };
    expect(() => hold.checkGeneration()).toThrow(PartitionReleased);
  });

  it('reports work that hangs', async () => {
    const { hold, state } = holding();
    await hold.during(() => until(() => expect(state.overrun).toHaveLength(1)));
    expect(state.overrun[0]?.message).toBe('A handler ran for more than 60 ms.');
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

  it('asks nobody while there are signs of life', async () => {
    const { watchdog, seen, ticks } = watching();
    for (let n = 0; n < 10; n += 1) {
      await ticks(3);
      watchdog.alive();
    }
    expect(seen).toMatchObject({ probes: 0, stalls: 0 });
  });

  it('calls a consumer stalled when it is silent while Kafka has answered as long again', async () => {
    const { seen, ticks } = watching();
    await ticks(6);
    expect(seen.stalls).toBe(0);
    await ticks(1);
    expect(seen.stalls).toBe(1);
  });

  it('never does while Kafka is away, and gives the consumer time to find its way back', async () => {
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

describe('back-off', () => {
  it('doubles from the first pause, never passes the last, and spreads over its upper half', () => {
    const backOff = { firstMs: 100, lastMs: 1_000 };
    const pauses = [1, 2, 3, 4, 5, 6, 1_000].map((failures) => pauseAfter(failures, backOff, 1));
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
    expect(pauseAfter(1, backOff, 0)).toBe(50);
    expect(pauseAfter(3, backOff, 0.5)).toBe(300);
  });

  it('ends a pause at the signal, without an error', async () => {
    const stop = new AbortController();
    const paused = pause(60_000, stop.signal);
    stop.abort();
    await paused;
    await pause(60_000, stop.signal);
  });

  it('gives up on what never settles, and passes on what does', async () => {
    await expect(within(10, new Promise(() => {}))).rejects.toThrow('No outcome within 10 ms.');
    await expect(within(1_000, Promise.resolve(7))).resolves.toBe(7);
    await expect(within(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  });
});
