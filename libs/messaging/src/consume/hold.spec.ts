import { until } from '../test-kafka.js';
import { PartitionHold, PartitionReleased } from './hold.js';

describe('the hold on a partition', () => {
  const holding = (heartbeat = async () => {}, partition = 2) => {
    const state = {
      running: true,
      stale: false,
      beats: 0,
      overrun: [] as Error[],
      stop: new AbortController(),
      assignment: { wishes: [0, 2] },
    };
    const payload = {
      heartbeat: () => {
        state.beats += 1;
        return heartbeat();
      },
      isRunning: () => state.running,
      isStale: () => state.stale,
      batch: { topic: 'wishes', partition },
    };
    const onOverrun = (error: Error) => state.overrun.push(error);
    const hold = new PartitionHold(payload, {
      beatMs: 10,
      overrunMs: 60,
      onOverrun,
      stopping: state.stop.signal,
      assignment: () => state.assignment,
    });
    return { hold, state };
  };
  type State = ReturnType<typeof holding>['state'];
  const lost = async () => {
    throw new Error('The group is rebalancing');
  };

  it('heartbeats in a pause', async () => {
    const { hold, state } = holding();
    const paused = hold.pause(60_000);
    await until(() => expect(state.beats).toBeGreaterThanOrEqual(3));
    state.stop.abort();
    await expect(paused).rejects.toThrow(PartitionReleased);
  });

  it('heartbeats while work runs, and passes on what becomes of the work though the place is lost', async () => {
    const { hold, state } = holding(lost);
    const work = () => until(() => expect(state.beats).toBeGreaterThanOrEqual(2)).then(() => 'done');
    await expect(hold.during(work)).resolves.toBe('done');
    expect(() => hold.check()).toThrow('The group is rebalancing');
  });

  it('ends a pause when the place is lost', async () => {
    const { hold } = holding(lost);
    await expect(hold.pause(60_000)).rejects.toThrow('The group is rebalancing');
  });

  it.each([
    ['the consumer stops', (state: State) => state.stop.abort()],
    ['it is no longer running', (state: State) => Object.assign(state, { running: false })],
    ['the position was moved', (state: State) => Object.assign(state, { stale: true })],
    ['it has joined anew', (state: State) => Object.assign(state, { assignment: { wishes: [0, 2] } })],
  ])('ends a pause when %s', async (_when, change) => {
    const { hold, state } = holding();
    const paused = hold.pause(60_000);
    change(state);
    await expect(paused).rejects.toThrow(PartitionReleased);
  });

  it('asks the group before work begins', async () => {
    const { hold, state } = holding();
    await hold.confirm();
    expect(state.beats).toBe(1);
    await expect(holding(lost).hold.confirm()).rejects.toThrow('The group is rebalancing');
  });

  it('lets finished work be committed while the consumer stops or the place is lost', async () => {
    const { hold, state } = holding(lost);
    await hold.beat();
    state.stop.abort();
    expect(() => hold.checkGeneration()).not.toThrow();
  });

  it('lets nothing be committed once the consumer has joined anew, though the partition be ours again', () => {
    const { hold, state } = holding();
    state.assignment = { wishes: [0, 2] };
    expect(() => hold.checkGeneration()).toThrow(PartitionReleased);
  });

  it('lets nothing begin on a partition that the group has not given to this member', async () => {
    const { hold, state } = holding(undefined, 1);
    await expect(hold.confirm()).rejects.toThrow(PartitionReleased);
    expect(state.beats).toBe(0);
  });

  it('reports work that hangs', async () => {
    const { hold, state } = holding();
    await hold.during(() => until(() => expect(state.overrun).toHaveLength(1)));
    expect(state.overrun[0]?.message).toBe('A handler ran for more than 60 ms.');
  });
});
