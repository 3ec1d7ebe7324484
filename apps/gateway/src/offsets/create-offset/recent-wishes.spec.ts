import { RecentWishes } from './recent-wishes.js';

const [ONE, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
const REUSED = expect.objectContaining({ code: 'idempotency_key_reused' });
const failing = () => Promise.reject(new Error('no answer'));
const pending = () => new Promise<void>(() => {});

/** Requests remembered for 10 ms, a clock that stands until it is moved, and the ids that were accepted. */
function recentRequests(most = 10) {
  const clock = { now: 100 };
  const recent = new RecentWishes({ most, forMs: 10 }, () => clock.now);
  const accepted: string[] = [];
  const once = (id: string, fingerprint = ONE, outcome = () => Promise.resolve()) =>
    recent.once(id, fingerprint, () => {
      accepted.push(id);
      return outcome();
    });
  return { recent, clock, accepted, once };
}

describe('the requests of the last minutes', () => {
  it('are accepted once each', async () => {
    const { once, accepted } = recentRequests();
    const outcomes = [await once('1'), await once('1'), await once('2'), await once('1')];
    expect(outcomes).toEqual(['now', 'before', 'now', 'before']);
    expect(accepted).toEqual(['1', '2']);
  });

  it('refuse another one under an id that is known, and say of the first that it stands only where that is known', async () => {
    const { once, accepted } = recentRequests();
    await once('confirmed');
    void once('under way', ONE, pending);
    await once('unsure', ONE, failing).catch(() => {});
    const unknown = /not known that the first request stands/;
    for (const [id, detail] of [
      ['confirmed', expect.not.stringMatching(unknown)],
      ['under way', expect.stringMatching(unknown)],
      ['unsure', expect.stringMatching(unknown)],
    ] as const)
      await expect(once(id, OTHER)).rejects.toMatchObject({ code: 'idempotency_key_reused', detail });
    expect(accepted).toEqual(['confirmed', 'under way', 'unsure']);
  });

  it('under an id that was made for them are known afterwards like any other, unsure ones as well', async () => {
    const { recent, once } = recentRequests();
    await recent.first('made', ONE, () => Promise.resolve());
    await expect(recent.first('unsure', ONE, failing)).rejects.toThrow('no answer');
    expect([await once('made'), await once('unsure')]).toEqual(['before', 'now']);
    for (const id of ['made', 'unsure']) await expect(once(id, OTHER)).rejects.toEqual(REUSED);
  });

  it('share the outcome of the one that is under way', async () => {
    const { once, accepted } = recentRequests();
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = [once('1', ONE, () => promise), once('1'), once('1')];
    resolve();
    expect(await Promise.all(all)).toEqual(['now', 'before', 'before']);
    expect(accepted).toEqual(['1']);
  });

  it('share its failure as well, after which the same one is accepted again', async () => {
    const { once, accepted } = recentRequests();
    const { promise, reject } = Promise.withResolvers<void>();
    const failure = new Error('no answer');
    const all = [once('1', ONE, () => promise), once('1'), once('1')];
    reject(failure);
    for (const one of await Promise.allSettled(all)) expect(one).toEqual({ status: 'rejected', reason: failure });
    expect(await Promise.all([once('1'), once('1')])).toEqual(['now', 'before']);
    expect(accepted).toEqual(['1', '1']);
  });

  it('are known until their time is over, however often they are sent', async () => {
    const { recent, clock, once } = recentRequests();
    await once('1');
    clock.now = 110;
    expect([recent.knows('1', ONE), await once('1')]).toEqual([true, 'before']);
    clock.now = 111;
    expect([recent.knows('1', ONE), await once('1', OTHER)]).toEqual([false, 'now']);
  });

  it('are no more than they may be', async () => {
    const { recent, once } = recentRequests(3);
    for (const id of ['1', '2', '3', '4']) await once(id);
    expect(['1', '2', '3', '4'].map((id) => recent.knows(id, ONE))).toEqual([false, true, true, true]);
  });

  it('never forget one that somebody waits for', async () => {
    const { recent, clock, once, accepted } = recentRequests(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = once('1', ONE, () => promise);
    for (const id of ['2', '3', '4']) await once(id);
    clock.now = 1_000;
    const replay = once('1');
    expect(recent.knows('1', ONE)).toBe(true);
    resolve();
    expect([await first, await replay]).toEqual(['now', 'before']);
    expect(accepted).toEqual(['1', '2', '3', '4']);
  });

  it('bear one that fails before it is begun', async () => {
    const { once } = recentRequests();
    const broken = () => {
      throw new RangeError('broken');
    };
    await expect(once('1', ONE, broken)).rejects.toThrow('broken');
    expect(await once('1')).toBe('now');
  });
});

describe('a request that turns out to have been recorded first', () => {
  it('is remembered', async () => {
    const { recent, once, accepted } = recentRequests();
    recent.learn('1', ONE);
    expect(await once('1')).toBe('before');
    await expect(once('1', OTHER)).rejects.toEqual(REUSED);
    expect(accepted).toEqual([]);
  });

  it('replaces the one that was confirmed here; until then it is not known which of them stands', async () => {
    const { recent, once } = recentRequests();
    await once('1');
    expect([recent.knows('1', ONE), recent.knows('1', OTHER)]).toEqual([true, false]);
    recent.learn('1', OTHER);
    expect([recent.knows('1', ONE), recent.knows('1', OTHER)]).toEqual([true, true]);
    expect(await once('1', OTHER)).toBe('before');
    await expect(once('1', ONE)).rejects.toEqual(REUSED);
  });

  it('replaces the one that is under way, waits for nothing, and still stands when that one is confirmed', async () => {
    const { recent, once } = recentRequests();
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = once('1', OTHER, () => promise);
    recent.learn('1', ONE);
    for (let n = 0; n < 2; n += 1) {
      await expect(once('1', OTHER)).rejects.toEqual(REUSED);
      expect(await once('1')).toBe('before');
      resolve();
      await late;
    }
  });
});
