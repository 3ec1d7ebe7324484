import { setImmediate as turn } from 'node:timers/promises';
import { type AskForAnswer, type RecentAnswer, RecentAnswers } from './recent-answers.js';

interface Said extends RecentAnswer {
  readonly words: string;
}

const ROOM = 100_000;
let clock = 0;
const said = (words: string, askedAt = clock, bytes = 100): Said => ({ words, askedAt, bytes });
const ago = (ms: number) => clock - ms;

/** A question that is answered, or fails, when the test says so. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<Said>();
  const asked: { askedAt: number; signal: AbortSignal }[] = [];
  const ask: AskForAnswer<Said> = (askedAt, signal) => {
    asked.push({ askedAt, signal });
    return promise;
  };
  return { ask, asked, answer: resolve, fail: reject };
}

describe('recent answers', () => {
  let recent: RecentAnswers<Said>;
  let asked: number;
  const ask = (words: string) => (askedAt: number) => {
    asked += 1;
    return Promise.resolve(said(words, askedAt));
  };

  beforeEach(() => {
    clock = 10_000;
    recent = new RecentAnswers(ROOM, () => clock);
    asked = 0;
  });

  it('are given again without asking', async () => {
    const first = await recent.get('a', ask('one'));
    expect(await recent.get('a', ask('two'))).toBe(first);
    expect(asked).toBe(1);
  });

  it('are told apart by their key', async () => {
    await recent.get('a', ask('one'));
    expect(await recent.get('b', ask('two'))).toMatchObject({ words: 'two' });
  });

  it('are given for a second after they were asked for, however long the answer took', async () => {
    await recent.get('quick', () => Promise.resolve(said('old', ago(900))));
    await recent.get('slow', () => Promise.resolve(said('old', ago(1_001))));
    expect(await recent.get('quick', ask('new'))).toMatchObject({ words: 'old' });
    expect(await recent.get('slow', ask('new'))).toMatchObject({ words: 'new' });
  });

  it('are asked for once by all who ask at the same time', async () => {
    const { ask, asked, answer } = held();
    const crowd = Array.from({ length: 50 }, () => recent.get('a', ask));
    answer(said('one'));
    expect(new Set(await Promise.all(crowd)).size).toBe(1);
    expect(asked).toHaveLength(1);
  });

  it('are asked for anew by who comes a second after a question that is still under way', async () => {
    const slow = held();
    const first = recent.get('a', slow.ask);
    clock += 1_001;
    const second = recent.get('a', ask('new'));
    slow.answer(said('old', slow.asked[0]?.askedAt));
    expect([await first, await second]).toMatchObject([{ words: 'old' }, { words: 'new' }]);
    expect(recent.recall('a')).toMatchObject({ words: 'new' });
  });

  it('are not replaced by what was asked for earlier and came later', () => {
    recent.keep('a', said('new', ago(10)));
    recent.keep('a', said('old', ago(20)));
    expect(recent.recall('a')).toMatchObject({ words: 'new' });
  });

  it('never are failures, which all hear who wait', async () => {
    const { ask: failing, fail } = held();
    const crowd = [recent.get('a', failing), recent.get('a', failing)];
    fail(new Error('away'));
    for (const one of crowd) await expect(one).rejects.toThrow('away');
    expect(await recent.get('a', ask('back'))).toMatchObject({ words: 'back' });
  });

  it('reject as well when asking throws', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    await expect(recent.get('a', broken)).rejects.toThrow('broken');
    expect(await recent.get('a', ask('mended'))).toMatchObject({ words: 'mended' });
  });

  describe('when who asks has gone', () => {
    const gone = new Error('gone');

    it('come all the same while somebody else waits', async () => {
      const { ask, asked, answer } = held();
      const leaving = new AbortController();
      const leaver = recent.get('a', ask, leaving.signal);
      const stayer = recent.get('a', ask, new AbortController().signal);
      leaving.abort(gone);
      await expect(leaver).rejects.toBe(gone);
      expect(asked[0]?.signal.aborted).toBe(false);
      answer(said('one'));
      expect(await stayer).toMatchObject({ words: 'one' });
    });

    it('are given up when nobody else waits, and asked for anew by the next', async () => {
      const { ask: given, asked: questions, fail } = held();
      const leaving = new AbortController();
      const leavers = [1, 2].map(() => recent.get('a', given, leaving.signal));
      leaving.abort(gone);
      for (const leaver of leavers) await expect(leaver).rejects.toBe(gone);
      expect(questions[0]?.signal.aborted).toBe(true);
      const next = recent.get('a', ask('new'));
      fail(new Error('given up'));
      await turn();
      expect(await next).toMatchObject({ words: 'new' });
    });

    it('are not waited for by who had gone before', async () => {
      const { ask, asked } = held();
      await expect(recent.get('a', ask, AbortSignal.abort(gone))).rejects.toBe(gone);
      expect(asked[0]?.signal.aborted).toBe(true);
    });
  });

  it('stay within their room, the least recently given going first', () => {
    for (const key of ['a', 'b', 'c']) recent.keep(key, said(key, clock, 9_000));
    expect(recent.recall('a')).toBeDefined();
    for (let number = 0; number < 8; number += 1) {
      recent.keep(`more ${number}`, said('more', clock, 9_000));
      expect(recent.bytes).toBeLessThanOrEqual(ROOM);
    }
    expect([recent.recall('a'), recent.recall('b'), recent.recall('more 7')]).toEqual([
      expect.anything(),
      undefined,
      expect.anything(),
    ]);
  });

  it('are not kept when one would take the room of many, but given', async () => {
    const large = await recent.get('a', (askedAt) => Promise.resolve(said('large', askedAt, ROOM / 2)));
    expect(large.words).toBe('large');
    expect(recent.recall('a')).toBeUndefined();
  });

  it('that are too old leave their room', () => {
    recent.keep('a', said('old', clock, 9_000));
    clock += 2_001;
    recent.keep('b', said('new', clock, 1_000));
    expect(recent.bytes).toBeLessThan(9_000);
  });
});
