import { eventually } from '@carbon/testing';
import { CallAbandoned } from './deadline.js';
import { FairQueue, QueueRejected } from './fair-queue.js';

const never = () => new Promise<never>(() => {});

/** Runs tasks by their names, whose first letter is their account, and records when each starts. */
function recorded(queue: FairQueue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string) =>
    queue.run(name[0] ?? '', () => {
      begun.push(name);
      return new Promise<void>((resolve) => void ends.push(resolve));
    });
  /** Ends the task that started first, and waits until another one starts. */
  const endFirst = async () => {
    const before = begun.length;
    ends.shift()?.();
    await eventually(() => expect(begun).toHaveLength(before + 1));
  };
  return { begun, run, endFirst, queue };
}

describe('FairQueue', () => {
  it('runs a bounded number of tasks at a time, in order of arrival', async () => {
    const { begun, run, endFirst } = recorded(new FairQueue({ slots: 2, maxWaiting: 10, waitMs: 5_000 }));
    for (const name of ['a1', 'a2', 'a3', 'a4']) void run(name);
    expect(begun).toEqual(['a1', 'a2']);
    await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('rejects at once when too many tasks wait', async () => {
    const queue = new FairQueue({ slots: 1, maxWaiting: 0, waitMs: 5_000 });
    void queue.run('one', never);
    await expect(queue.run('one', never)).rejects.toThrow(QueueRejected);
  });

  it('rejects a task that has waited too long, without starting it', async () => {
    const queue = new FairQueue({ slots: 1, maxWaiting: 1, waitMs: 10 });
    void queue.run('one', never);
    let hasBegun = false;
    const late = queue.run('one', async () => {
      hasBegun = true;
    });
    await expect(late).rejects.toThrow('no free slot within 10 ms');
    expect(hasBegun).toBe(false);
  });

  it('frees the slot after a failure', async () => {
    const queue = new FairQueue({ slots: 1, maxWaiting: 1, waitMs: 5_000 });
    const failing = queue.run('one', () => Promise.reject(new Error('broken')));
    const next = queue.run('one', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('done');
    await expect(queue.run('one', () => Promise.resolve('again'))).resolves.toBe('again');
  });

  it('starts the tasks of accounts in turn, each in order of arrival', async () => {
    const { begun, run, endFirst } = recorded(new FairQueue({ slots: 1, maxWaiting: 10, waitMs: 5_000 }));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void run(name);
    for (let n = 0; n < 6; n += 1) await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('rejects the last task of the longest queue for an account with fewer tasks', async () => {
    const { begun, run, endFirst } = recorded(new FairQueue({ slots: 1, maxWaiting: 3, waitMs: 5_000 }));
    const tasks = ['a1', 'a2', 'a3', 'a4', 'b1'].map(run);
    await expect(tasks[3]).rejects.toThrow(QueueRejected);
    await expect(run('a5')).rejects.toThrow(QueueRejected);
    await expect(run('b2')).rejects.toThrow(QueueRejected);
    for (let n = 0; n < 3; n += 1) await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('removes the task of a client that disconnects, which is neither a rejection nor a failure', async () => {
    const { begun, run, endFirst, queue } = recorded(new FairQueue({ slots: 1, maxWaiting: 2, waitMs: 5_000 }));
    const client = new AbortController();
    void run('a1');
    const left = queue.run('a', never, client.signal);
    void run('a2');
    client.abort();
    await expect(left).rejects.toThrow(CallAbandoned);
    // Its slot is free again.
    void run('b1');
    await endFirst();
    await endFirst();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await expect(queue.run('a', never, client.signal)).rejects.toThrow(CallAbandoned);
  });
});
