import type { EachBatchPayload } from 'kafkajs';
import { type Assignment, PartitionOwnership, PartitionRevoked } from './partition-ownership.js';
import { PositionCommits } from './position-commits.js';

type Offsets = NonNullable<Parameters<EachBatchPayload['commitOffsetsIfNecessary']>[0]>;

/** A consumer that records the requests that commit positions; the test ends them. */
function consumer() {
  const state: { assignment: Assignment } = { assignment: { requests: [0, 1, 2, 3] } };
  const sent: Offsets[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const commits = new PositionCommits();
  const commit = (partition: number, next: bigint) => {
    const payload = {
      batch: { topic: 'requests', partition },
      heartbeat: async () => {},
      isRunning: () => true,
      isStale: () => false,
      commitOffsetsIfNecessary: (offsets: Offsets) => {
        sent.push(offsets);
        const end = Promise.withResolvers<void>();
        ends.push(end);
        return end.promise;
      },
    } as unknown as EachBatchPayload;
    const ownership = new PartitionOwnership(payload, {
      heartbeatMs: 1_000,
      handlerLimitMs: 1_000,
      onHandlerLimit: () => {},
      stopping: new AbortController().signal,
      assignment: () => state.assignment,
    });
    return commits.commit({ payload, ownership, next });
  };
  const turn = () => new Promise(setImmediate);
  return { state, sent, ends, commit, turn };
}

const committed = (...partitions: readonly (readonly [number, string])[]) => ({
  topics: [{ topic: 'requests', partitions: partitions.map(([partition, offset]) => ({ partition, offset })) }],
});

describe('the positions that a consumer commits', () => {
  it('are one request for all partitions that are handled meanwhile', async () => {
    const { sent, ends, commit, turn } = consumer();
    const done = Promise.all([commit(0, 5n), commit(1, 6n), commit(2, 7n)]);
    await turn();
    ends[0]?.resolve();
    await done;
    expect(sent).toEqual([committed([0, '5'], [1, '6'], [2, '7'])]);
  });

  it('are not those of batches that began before the consumer joined again', async () => {
    const { state, sent, ends, commit, turn } = consumer();
    const first = commit(0, 5n);
    await turn();
    const waiting = commit(1, 6n);
    state.assignment = { requests: [0, 1] };
    const later = commit(0, 8n);
    ends[0]?.resolve();
    await expect(first).rejects.toThrow(PartitionRevoked);
    await turn();
    ends[1]?.resolve();
    await expect(waiting).rejects.toThrow(PartitionRevoked);
    await later;
    expect(sent).toEqual([committed([0, '5']), committed([0, '8'])]);
  });
});
