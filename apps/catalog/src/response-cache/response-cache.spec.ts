import { setImmediate as turn } from 'node:timers/promises';
import type { CachedResponse } from '@carbon/http';
import { type Fetch, ResponseCache } from './response-cache.js';

interface TestResponse extends CachedResponse {
  readonly text: string;
}

const CAPACITY = 100_000;
let clock = 0;
const response = (text: string, requestedAt = clock, bytes = 100): TestResponse => ({ text, requestedAt, bytes });

/** A fetch that succeeds or fails when the test says so. */
function pendingFetch() {
  const { promise, resolve, reject } = Promise.withResolvers<TestResponse>();
  const calls: { requestedAt: number; signal: AbortSignal }[] = [];
  const ask: Fetch<TestResponse> = (requestedAt, signal) => {
    calls.push({ requestedAt, signal });
    return promise;
  };
  return { ask, calls, answer: resolve, fail: reject };
}

describe('the response cache', () => {
  const gone = new Error('gone');
  let recent: ResponseCache<TestResponse>;
  const ask = (text: string) => async (requestedAt: number) => response(text, requestedAt);

  beforeEach(() => {
    clock = 10_000;
    recent = new ResponseCache(CAPACITY, () => clock);
  });

  it('returns a response again for the same key without a fetch', async () => {
    const first = await recent.get('a', ask('one'));
    expect(await recent.get('a', ask('two'))).toBe(first);
    expect(await recent.get('b', ask('two'))).toMatchObject({ text: 'two' });
  });

  it('keeps a response for a second after its request, however long the fetch took', async () => {
    await recent.get('quick', async () => response('old', clock - 900));
    await recent.get('slow', async () => response('old', clock - 1_001));
    expect(await recent.get('quick', ask('new'))).toMatchObject({ text: 'old' });
    expect(await recent.get('slow', ask('new'))).toMatchObject({ text: 'new' });
  });

  it('starts another fetch a second after one that is still in progress, and the earlier response does not replace the later one', async () => {
    const slow = pendingFetch();
    const first = recent.get('a', slow.ask);
    clock += 1_001;
    const second = recent.get('a', ask('new'));
    slow.answer(response('old', slow.calls[0]?.requestedAt));
    expect([await first, await second]).toMatchObject([{ text: 'old' }, { text: 'new' }]);
    expect(recent.getCached('a')).toMatchObject({ text: 'new' });
    recent.set('a', response('old', clock - 20));
    expect(recent.getCached('a')).toMatchObject({ text: 'new' });
  });

  it('caches no failures, and passes a failure to all callers', async () => {
    const { ask: failing, fail } = pendingFetch();
    const callers = [recent.get('a', failing), recent.get('a', failing)];
    fail(new Error('away'));
    for (const one of callers) await expect(one).rejects.toThrow('away');
    const broken = () => {
      throw new Error('broken');
    };
    await expect(recent.get('a', broken)).rejects.toThrow('broken');
    expect(await recent.get('a', ask('back'))).toMatchObject({ text: 'back' });
  });

  it('continues a fetch for the other caller when one of two leaves', async () => {
    const { ask: given, calls, answer } = pendingFetch();
    const leaving = new AbortController();
    const [left, other] = [recent.get('a', given, leaving.signal), recent.get('a', given)];
    leaving.abort(gone);
    await expect(left).rejects.toBe(gone);
    expect(calls[0]?.signal.aborted).toBe(false);
    answer(response('new', calls[0]?.requestedAt));
    expect(await other).toMatchObject({ text: 'new' });
  });

  it('aborts a fetch when all its callers have left, and starts another for the next caller', async () => {
    const { ask: given, calls: first, fail } = pendingFetch();
    const leaving = new AbortController();
    const callers = [1, 2].map(() => recent.get('a', given, leaving.signal));
    leaving.abort(gone);
    for (const caller of callers) await expect(caller).rejects.toBe(gone);
    expect(first[0]?.signal.aborted).toBe(true);
    const next = recent.get('a', ask('new'));
    fail(new Error('given up'));
    await turn();
    expect(await next).toMatchObject({ text: 'new' });
    const late = pendingFetch();
    await expect(recent.get('b', late.ask, AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(late.calls[0]?.signal.aborted).toBe(true);
  });

  it('stays within its size, evicts the least recently used, and does not cache a response that would evict many', async () => {
    for (const key of ['a', 'b', 'c']) recent.set(key, response(key, clock, 9_000));
    expect(recent.getCached('a')).toBeDefined();
    for (let number = 0; number < 8; number += 1) recent.set(`more ${number}`, response('more', clock, 9_000));
    expect(['a', 'b', 'more 7'].map((key) => recent.getCached(key) !== undefined)).toEqual([true, false, true]);
    const large = await recent.get('large', async (requestedAt) => response('large', requestedAt, CAPACITY / 2));
    expect([large.text, recent.getCached('large')]).toEqual(['large', undefined]);
  });
});
