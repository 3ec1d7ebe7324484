import { UserFault } from '@carbon/faults';
import { RecentWishes } from './recent-wishes.js';

const [ONE, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];

/** Some ids remembered for 10 ms, a clock that stands until it is moved, and how often each id was accepted. */
function recentWishes(most = 10) {
  const clock = { now: 100 };
  const wishes = new RecentWishes({ most, forMs: 10 }, () => clock.now);
  const accepted: string[] = [];
  const ask = (id: string, fingerprint = ONE, outcome = Promise.resolve()) =>
    wishes.once(id, fingerprint, () => {
      accepted.push(id);
      return outcome;
    });
  return { wishes, clock, accepted, ask };
}

describe('the wishes of the last minutes', () => {
  it('are accepted once each', async () => {
    const { ask, accepted } = recentWishes();
    expect([await ask('1'), await ask('1'), await ask('2'), await ask('1')]).toEqual([
      'now',
      'before',
      'now',
      'before',
    ]);
    expect(accepted).toEqual(['1', '2']);
  });

  it('refuse another one under an id that is known, whether it is confirmed, under way or unsure', async () => {
    const { ask, accepted } = recentWishes();
    const reused = expect.objectContaining({ code: 'idempotency_key_reused' });
    await ask('confirmed');
    void ask('under way', ONE, new Promise(() => {}));
    await ask('unsure', ONE, Promise.reject(new Error('no answer'))).catch(() => {});
    for (const id of ['confirmed', 'under way', 'unsure']) {
      await expect(ask(id, OTHER)).rejects.toBeInstanceOf(UserFault);
      await expect(ask(id, OTHER)).rejects.toEqual(reused);
    }
    expect(accepted).toEqual(['confirmed', 'under way', 'unsure']);
  });

  it('under an id that was made for them are known afterwards like any other, unsure ones as well', async () => {
    const { wishes, ask } = recentWishes();
    await wishes.first('made', ONE, () => Promise.resolve());
    const failure = new Error('no answer');
    await expect(wishes.first('unsure', ONE, () => Promise.reject(failure))).rejects.toBe(failure);
    expect([await ask('made'), await ask('unsure')]).toEqual(['before', 'now']);
    for (const id of ['made', 'unsure']) await expect(ask(id, OTHER)).rejects.toBeInstanceOf(UserFault);
  });

  it('share the outcome of the one that is under way', async () => {
    const { ask, accepted } = recentWishes();
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = [ask('1', ONE, promise), ask('1'), ask('1')];
    resolve();
    expect(await Promise.all(asked)).toEqual(['now', 'before', 'before']);
    expect(accepted).toEqual(['1']);
  });

  it('share its failure as well, after which the same one is accepted again', async () => {
    const { ask, accepted } = recentWishes();
    const { promise, reject } = Promise.withResolvers<void>();
    const failure = new Error('no answer');
    const asked = [ask('1', ONE, promise), ask('1'), ask('1')];
    reject(failure);
    for (const one of await Promise.allSettled(asked)) expect(one).toEqual({ status: 'rejected', reason: failure });
    expect(await Promise.all([ask('1'), ask('1')])).toEqual(['now', 'before']);
    expect(accepted).toEqual(['1', '1']);
  });

  it('are known until their time is over, however often they are asked for', async () => {
    const { wishes, clock, ask } = recentWishes();
    await ask('1');
    clock.now = 110;
    expect([wishes.knows('1', ONE), await ask('1')]).toEqual([true, 'before']);
    clock.now = 111;
    expect([wishes.knows('1', ONE), await ask('1', OTHER)]).toEqual([false, 'now']);
  });

  it('are asked about elsewhere when another one comes, until it is told which of them stands', async () => {
    const { wishes, ask } = recentWishes();
    await ask('1');
    expect([wishes.knows('1', ONE), wishes.knows('1', OTHER)]).toEqual([true, false]);
    wishes.learn('1', OTHER);
    expect([wishes.knows('1', ONE), wishes.knows('1', OTHER)]).toEqual([true, true]);
    expect(await ask('1', OTHER)).toBe('before');
    await expect(ask('1', ONE)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('are no more than they may be', async () => {
    const { wishes, ask } = recentWishes(3);
    for (const id of ['1', '2', '3', '4']) await ask(id);
    expect(['1', '2', '3', '4'].map((id) => wishes.knows(id, ONE))).toEqual([false, true, true, true]);
  });

  it('never forget one that somebody waits for', async () => {
    const { wishes, clock, ask, accepted } = recentWishes(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = ask('1', ONE, promise);
    for (const id of ['2', '3', '4']) await ask(id);
    clock.now = 1_000;
    const twin = ask('1');
    expect(wishes.knows('1', ONE)).toBe(true);
    resolve();
    expect([await first, await twin]).toEqual(['now', 'before']);
    expect(accepted).toEqual(['1', '2', '3', '4']);
  });

  it('remember what others know', async () => {
    const { wishes, ask, accepted } = recentWishes();
    wishes.learn('1', ONE);
    expect(await ask('1')).toBe('before');
    await expect(ask('1', OTHER)).rejects.toBeInstanceOf(UserFault);
    expect(accepted).toEqual([]);
  });

  it('let what was recorded first stand, when it becomes known while another one is under way', async () => {
    const { wishes, ask } = recentWishes();
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = ask('1', OTHER, promise);
    wishes.learn('1', ONE);
    resolve();
    await late;
    expect(await ask('1')).toBe('before');
    await expect(ask('1', OTHER)).rejects.toBeInstanceOf(UserFault);
  });

  it('refuse the late one from then on, while it is still under way, and do not let the other wait for it', async () => {
    const { wishes, ask } = recentWishes();
    void ask('1', OTHER, new Promise(() => {}));
    wishes.learn('1', ONE);
    await expect(ask('1', OTHER)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await ask('1', ONE)).toBe('before');
  });

  it('are said to stand only where that is known', async () => {
    const { ask } = recentWishes();
    await ask('confirmed');
    await ask('unsure', ONE, Promise.reject(new Error('no answer'))).catch(() => {});
    void ask('under way', ONE, new Promise(() => {}));
    const unknown = /not known that the first request stands/;
    await expect(ask('confirmed', OTHER)).rejects.toMatchObject({ detail: expect.not.stringMatching(unknown) });
    for (const id of ['unsure', 'under way']) {
      await expect(ask(id, OTHER)).rejects.toMatchObject({ detail: expect.stringMatching(unknown) });
    }
  });

  it('bear a wish that fails before it is begun', async () => {
    const { wishes, ask } = recentWishes();
    const broken = () => {
      throw new RangeError('broken');
    };
    await expect(wishes.once('1', ONE, broken)).rejects.toThrow('broken');
    expect(await ask('1')).toBe('now');
  });
});
