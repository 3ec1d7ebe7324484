import { IdempotencyCache } from './idempotency-cache.js';

const [ONE, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
const REUSED = expect.objectContaining({ code: 'idempotency_key_reused' });
const failing = () => Promise.reject(new Error('no answer'));
const pending = () => new Promise<void>(() => {});

/** A cache of 10 ms with a clock that tests move, and the ids that were published. */
function cacheWith(most = 10) {
  const clock = { now: 100 };
  const cache = new IdempotencyCache({ maxEntries: most, ttlMs: 10 }, () => clock.now);
  const published: string[] = [];
  const once = (id: string, fingerprint = ONE, outcome = () => Promise.resolve()) =>
    cache.once(id, fingerprint, () => {
      published.push(id);
      return outcome();
    });
  return { cache, clock, published, once };
}

describe('the idempotency cache', () => {
  it('publishes each request once', async () => {
    const { once, published } = cacheWith();
    const outcomes = [await once('1'), await once('1'), await once('2'), await once('1')];
    expect(outcomes).toEqual([false, true, false, true]);
    expect(published).toEqual(['1', '2']);
  });

  it('refuses another request under a known id, and says that the first was accepted only when that is known', async () => {
    const { once, published } = cacheWith();
    await once('confirmed');
    void once('under way', ONE, pending);
    await once('unsure', ONE, failing).catch(() => {});
    const unknown = /not known whether the first was accepted/;
    for (const [id, detail] of [
      ['confirmed', expect.not.stringMatching(unknown)],
      ['under way', expect.stringMatching(unknown)],
      ['unsure', expect.stringMatching(unknown)],
    ] as const)
      await expect(once(id, OTHER)).rejects.toMatchObject({ code: 'idempotency_key_reused', detail });
    expect(published).toEqual(['confirmed', 'under way', 'unsure']);
  });

  it('caches requests under generated ids as well, also those whose outcome is unknown', async () => {
    const { cache, once } = cacheWith();
    await cache.first('made', ONE, () => Promise.resolve());
    await expect(cache.first('unsure', ONE, failing)).rejects.toThrow('no answer');
    expect([await once('made'), await once('unsure')]).toEqual([true, false]);
    for (const id of ['made', 'unsure']) await expect(once(id, OTHER)).rejects.toEqual(REUSED);
  });

  it('lets a replay share the outcome of a pending request', async () => {
    const { once, published } = cacheWith();
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = [once('1', ONE, () => promise), once('1'), once('1')];
    resolve();
    expect(await Promise.all(all)).toEqual([false, true, true]);
    expect(published).toEqual(['1']);
  });

  it('lets a replay share its failure as well, after which the request may be published again', async () => {
    const { once, published } = cacheWith();
    const { promise, reject } = Promise.withResolvers<void>();
    const failure = new Error('no answer');
    const all = [once('1', ONE, () => promise), once('1'), once('1')];
    reject(failure);
    for (const one of await Promise.allSettled(all)) expect(one).toEqual({ status: 'rejected', reason: failure });
    expect(await Promise.all([once('1'), once('1')])).toEqual([false, true]);
    expect(published).toEqual(['1', '1']);
  });

  it('forgets a request after its time to live, however often it is replayed', async () => {
    const { cache, clock, once } = cacheWith();
    await once('1');
    clock.now = 110;
    expect([cache.isDecisive('1', ONE), await once('1')]).toEqual([true, true]);
    clock.now = 111;
    expect([cache.isDecisive('1', ONE), await once('1', OTHER)]).toEqual([false, false]);
  });

  it('holds a bounded number of requests', async () => {
    const { cache, once } = cacheWith(3);
    for (const id of ['1', '2', '3', '4']) await once(id);
    expect(['1', '2', '3', '4'].map((id) => cache.isDecisive(id, ONE))).toEqual([false, true, true, true]);
  });

  it('never evicts a pending request', async () => {
    const { cache, clock, once, published } = cacheWith(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = once('1', ONE, () => promise);
    for (const id of ['2', '3', '4']) await once(id);
    clock.now = 1_000;
    const replay = once('1');
    expect(cache.isDecisive('1', ONE)).toBe(true);
    resolve();
    expect([await first, await replay]).toEqual([false, true]);
    expect(published).toEqual(['1', '2', '3', '4']);
  });

  it('survives a publish that throws at once', async () => {
    const { once } = cacheWith();
    const broken = () => {
      throw new RangeError('broken');
    };
    await expect(once('1', ONE, broken)).rejects.toThrow('broken');
    expect(await once('1')).toBe(false);
  });
});

describe('a recorded request', () => {
  it('is cached', async () => {
    const { cache, once, published } = cacheWith();
    cache.storeRecorded('1', ONE);
    expect(await once('1')).toBe(true);
    await expect(once('1', OTHER)).rejects.toEqual(REUSED);
    expect(published).toEqual([]);
  });

  it('replaces one that was confirmed here; until then either may be the recorded one', async () => {
    const { cache, once } = cacheWith();
    await once('1');
    expect([cache.isDecisive('1', ONE), cache.isDecisive('1', OTHER)]).toEqual([true, false]);
    cache.storeRecorded('1', OTHER);
    expect([cache.isDecisive('1', ONE), cache.isDecisive('1', OTHER)]).toEqual([true, true]);
    expect(await once('1', OTHER)).toBe(true);
    await expect(once('1', ONE)).rejects.toEqual(REUSED);
  });

  it('wins over a pending one, without waiting, and also after that one is confirmed', async () => {
    const { cache, once } = cacheWith();
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = once('1', OTHER, () => promise);
    cache.storeRecorded('1', ONE);
    for (let n = 0; n < 2; n += 1) {
      await expect(once('1', OTHER)).rejects.toEqual(REUSED);
      expect(await once('1')).toBe(true);
      resolve();
      await late;
    }
  });
});
