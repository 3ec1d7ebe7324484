import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { LookupBatcher, type LookupBatcherOptions } from './lookup-batcher.js';

const LONG_MS = 600_000;
const BOUNDS = { maxBatchSize: 3, maxWaiting: 10, maxInFlight: 4, maxDelayMs: LONG_MS, timeoutMs: LONG_MS };

/** A batcher whose batches the test answers: each look-up with itself in capitals. */
function batcherWith(bounds: Partial<LookupBatcherOptions> = {}) {
  const sent: string[] = [];
  const batches: PromiseWithResolvers<readonly (string | undefined)[]>[] = [];
  const batcher = new LookupBatcher<string, string>({ ...BOUNDS, ...bounds }, (lookups) => {
    sent.push(lookups.join(''));
    const batch = Promise.withResolvers<readonly (string | undefined)[]>();
    batches.push(batch);
    return batch.promise;
  });
  return {
    batcher,
    sent,
    ask: (lookup: string) => batcher.lookUp(lookup),
    askAll: (lookups: string) => Promise.all([...lookups].map((each) => batcher.lookUp(each))),
    answer: (at: number) => batches[at]?.resolve([...(sent[at] ?? '')].map((each) => each.toUpperCase())),
    fail: (at: number, error: Error) => batches[at]?.reject(error),
    /** Until all that is due has been sent. */
    settle: async () => {
      for (let n = 0; n < 5; n += 1) await turn();
    },
  };
}

/** The state of a promise: what it was resolved with, or `pending`. */
const stateOf = (promise: Promise<unknown>) => Promise.race([promise, Promise.resolve('pending')]);

describe('the batcher of look-ups', () => {
  it('sends a look-up at once while one batch is in flight, and what comes during two together', async () => {
    const { ask, askAll, answer, sent, settle } = batcherWith();
    const first = ask('a');
    await settle();
    const second = ask('b');
    await settle();
    const others = askAll('cd');
    await settle();
    expect(sent).toEqual(['a', 'b']);
    answer(1);
    expect(await second).toBe('B');
    await settle();
    expect(sent).toEqual(['a', 'b', 'cd']);
    answer(0);
    answer(2);
    expect([await first, await others]).toEqual(['A', ['C', 'D']]);
  });

  it('sends a full batch beside those in flight, and keeps to the number of batches', async () => {
    const { askAll, answer, sent, settle } = batcherWith({ maxInFlight: 3, maxDelayMs: 0 });
    const all = askAll('abcdefghij');
    await settle();
    expect(sent).toEqual(['abc', 'def', 'ghi']);
    answer(1);
    await settle();
    expect(sent).toEqual(['abc', 'def', 'ghi', 'j']);
    for (const at of [0, 2, 3]) answer(at);
    expect((await all).join('')).toBe('ABCDEFGHIJ');
  });

  it('sends look-ups behind a batch that gets no response all the same after a while', async () => {
    const { ask, answer, sent, settle } = batcherWith({ maxDelayMs: 5 });
    const stuck = [ask('a')];
    await settle();
    stuck.push(ask('b'));
    await settle();
    const next = ask('c');
    while (sent.length < 3) await pause(1);
    answer(2);
    expect([await next, ...(await Promise.all(stuck.map(stateOf)))]).toEqual(['C', 'pending', 'pending']);
    answer(0);
    answer(1);
    expect(await Promise.all(stuck)).toEqual(['A', 'B']);
  });

  it('gives each look-up its own time, does not send one whose time is over, and drops a late answer', async () => {
    const { ask, answer, sent, settle } = batcherWith({ maxInFlight: 1, timeoutMs: 20 });
    const first = ask('a');
    await settle();
    const second = ask('b');
    expect([await first, await second]).toEqual([undefined, undefined]);
    const third = ask('c');
    answer(0);
    await settle();
    expect(sent).toEqual(['a', 'c']);
    answer(1);
    expect(await third).toBe('C');
  });

  it('has no answer for what the batch leaves out, and for what exceeds the queue', async () => {
    const { batcher, ask, askAll, answer, settle } = batcherWith({ maxInFlight: 1, maxWaiting: 2 });
    const first = ask('a');
    await settle();
    expect(batcher.isFull).toBe(false);
    const [within, beyond] = [askAll('bc'), ask('d')];
    expect(batcher.isFull).toBe(true);
    expect(await beyond).toBeUndefined();
    answer(0);
    await settle();
    answer(1);
    expect([await first, await within]).toEqual(['A', ['B', 'C']]);
  });

  it('passes an error on to the look-ups of its batch alone, and goes on', async () => {
    const { ask, answer, fail, settle } = batcherWith();
    const failed = [ask('a'), ask('b')];
    await settle();
    const next = ask('c');
    fail(0, new RangeError('a bug'));
    for (const { status } of await Promise.allSettled(failed)) expect(status).toBe('rejected');
    await settle();
    answer(1);
    expect(await next).toBe('C');
  });

  it('runs in the context of no request', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const batcher = new LookupBatcher<string, string>(BOUNDS, async (lookups) => {
      seen.push(context.getStore());
      return lookups;
    });
    const inContext = (name: string) => context.run(name, async () => [await batcher.lookUp(name), context.getStore()]);
    expect(await Promise.all([inContext('one'), inContext('two')])).toEqual([
      ['one', 'one'],
      ['two', 'two'],
    ]);
    expect(seen).toEqual([undefined]);
  });
});
