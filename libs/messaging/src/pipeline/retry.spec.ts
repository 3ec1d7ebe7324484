import { TransientFault } from '@carbon/faults';
import { PartitionReleased } from '../consume/hold.js';
import { SILENT } from '../kafka/messaging-logger.js';
import { type HandleBatch, RETRY_POLICY, retry } from './retry.js';
import { received, runOf } from './test-run.js';

describe('retry', () => {
  const messages = (count: number) => Array.from({ length: count }, (_, n) => received(n));
  const through = async (handle: HandleBatch, run = runOf({ messages: messages(8) })) => {
    return { run, after: await retry(handle, RETRY_POLICY, SILENT)(run) };
  };
  const refusing = (...bad: bigint[]) => {
    const done: bigint[] = [];
    const tried: bigint[][] = [];
    const handle: HandleBatch = async ({ messages }) => {
      const positions = messages.map(({ position }) => position);
      tried.push(positions);
      if (positions.some((position) => bad.includes(position))) throw new Error('cannot');
      done.push(...positions);
      return [];
    };
    return { handle, done, tried };
  };

  it('calls the handler once with all', async () => {
    const { handle, tried } = refusing();
    await through(handle);
    expect(tried).toEqual([[0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n]]);
  });

  it('does not call it for nothing', async () => {
    const { handle, tried } = refusing();
    await through(handle, runOf());
    expect(tried).toEqual([]);
  });

  it('finds the one bad message by halves, tries it three times alone, and does the others once, in order', async () => {
    const { handle, done, tried } = refusing(5n);
    const { run, after } = await through(handle);
    expect(done).toEqual([0n, 1n, 2n, 3n, 4n, 6n, 7n]);
    expect(tried.filter((positions) => positions.length === 1 && positions[0] === 5n)).toHaveLength(3);
    expect(after.letters).toEqual([
      expect.objectContaining({ code: 'handler_failed', attempts: 6, firstFailedAt: expect.any(Date) }),
    ]);
    expect(after.letters[0]?.raw.offset).toBe('5');
    expect(run.pauses).toHaveLength(2);
  });

  it('makes letters of all when all are bad', async () => {
    const { handle } = refusing(0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n);
    const { after } = await through(handle);
    expect(after.letters.map(({ raw }) => raw.offset)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });

  it('waits in an outage as long as it takes, with growing pauses, and gives nothing up', async () => {
    let calls = 0;
    const { run, after } = await through(async () => {
      calls += 1;
      if (calls <= 50) throw new TransientFault('service_unavailable', 'Away.');
      return [];
    });
    expect(calls).toBe(51);
    expect(after.letters).toEqual([]);
    expect(run.pauses).toHaveLength(50);
    expect(Math.max(...run.pauses)).toBeLessThanOrEqual(RETRY_POLICY.outage.lastMs);
    expect(run.pauses.at(-1)).toBeGreaterThan(run.pauses[0] ?? 0);
  });

  it('does not count an outage against a message', async () => {
    let calls = 0;
    const run = runOf({ messages: messages(1) });
    const { after } = await through(async () => {
      calls += 1;
      if (calls % 2 === 1) throw new TransientFault('service_unavailable', 'Away.');
      throw new Error('cannot');
    }, run);
    expect(after.letters[0]?.attempts).toBe(3);
  });

  it('makes letters of what the handler rejects, and of no position it was not given', async () => {
    const { after } = await through(async () => [
      { position: 2n, code: 'not_ours', detail: 'of another account' },
      { position: 99n, code: 'not_ours', detail: 'never given' },
    ]);
    expect(after.letters.map(({ raw, code }) => [raw.offset, code])).toEqual([['2', 'not_ours']]);
  });

  it('stops at once when the partition is lost', async () => {
    let calls = 0;
    let isLost = false;
    const check = () => {
      if (isLost) throw new PartitionReleased();
    };
    const pause = async () => {
      isLost = true;
      check();
    };
    const hold = { ...runOf().hold, check, pause };
    const run = runOf({ messages: messages(2), hold });
    const failing = through(async () => {
      calls += 1;
      throw new TransientFault('service_unavailable', 'Away.');
    }, run);
    await expect(failing).rejects.toThrow(PartitionReleased);
    expect(calls).toBe(1);
  });
});
