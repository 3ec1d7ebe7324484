import { generationOf } from './generation.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import {
  canBeSearched,
  candidateOf,
  chosen,
  compareGenerations,
  isWhollyLive,
  mayBeDropped,
  mayBegin,
  mayCutOver,
  nextGeneration,
  outlived,
  retiredAt,
  superseded,
} from './precedence.js';

/** What of a standing generation a test says; the rest is as if nothing had happened to it. */
type Given = Partial<Pick<StoredGeneration, 'has' | 'liveFor'>> &
  Partial<StoredGeneration['meta']> & { readonly retiredAt?: string };

const BOTH = ['POOL', 'PROJECT'] as const;

/** A generation as it may stand in OpenSearch, by a name such as `aaaaaaaa-1`. */
function standing(name: string, { has = BOTH, liveFor = [], retiredAt, ...meta }: Given = {}): StoredGeneration {
  const [hash = '', number] = name.split('-');
  return {
    ...generationOf('', { hash, number: Number(number) }, { POOL: `${name} pools`, PROJECT: `${name} projects` }),
    meta: { revision: 1, ...meta },
    has,
    liveFor,
    retirements: retiredAt === undefined ? [] : [{ turn: meta.turn ?? Number(number), at: new Date(retiredAt) }],
    createdAt: new Date(0),
  };
}

/** The library made of these. */
function stateOf(...generations: readonly StoredGeneration[]): LibraryState {
  return { generations, strangers: { POOL: [], PROJECT: [] } };
}

const OWN = 'bbbbbbbb';
const own = { hash: OWN, revision: 5 };
const live = { liveFor: BOTH };
const half = { liveFor: ['POOL'] } as const;
const NEW_YEAR = '2026-01-01T00:00:00Z';

describe('the order of generations', () => {
  it.each([
    [
      'a later choice before a later number',
      standing('aaaaaaaa-1', { turn: 3 }),
      standing(`${OWN}-2`, { revision: 9 }),
    ],
    ['a later number before an earlier one', standing(`${OWN}-2`), standing('aaaaaaaa-1')],
    ['the higher revision of two begun at once', standing('aaaaaaaa-2', { revision: 5 }), standing(`${OWN}-2`)],
  ])('puts %s', (_, first, second) => {
    expect(compareGenerations(first, second)).toBeGreaterThan(0);
    expect(compareGenerations(second, first)).toBeLessThan(0);
  });

  it('is the same for everybody, whatever is compared', () => {
    const [one, other] = [standing('aaaaaaaa-2'), standing(`${OWN}-2`)];
    expect(compareGenerations(one, one)).toBe(0);
    expect(compareGenerations(one, other) + compareGenerations(other, one)).toBe(0);
  });
});

describe('beginning a generation', () => {
  const retiredOwn = standing(`${OWN}-2`, { retiredAt: NEW_YEAR });

  it.each<[boolean, string, StoredGeneration[]]>([
    [true, 'nothing stands', []],
    [true, 'a lower revision is live', [standing('aaaaaaaa-1', { ...live, revision: 4 })]],
    [
      true,
      'its own was retired when an older one was brought back, and a newer version has come',
      [retiredOwn, standing('aaaaaaaa-1', { ...live, turn: 3, over: 4 })],
    ],
    [false, 'its own is live', [standing(`${OWN}-1`, live)]],
    [false, 'its own is on its way', [standing('aaaaaaaa-1', live), standing(`${OWN}-2`)]],
    [false, 'a higher revision is live', [standing('aaaaaaaa-1', { ...live, revision: 6 })]],
    [false, 'another mapping of the same revision is live', [standing('aaaaaaaa-1', { ...live, revision: 5 })]],
    [false, 'a higher revision is on its way', [standing('cccccccc-2', { revision: 6 }), standing('aaaaaaaa-1', live)]],
    [false, 'a person has put an older one over it', [standing('aaaaaaaa-1', { ...live, over: 5 })]],
  ])('is done by itself (%s) when %s', (isDone, _, generations) => {
    expect(mayBegin(stateOf(...generations), own)).toBe(isDone);
  });

  it('takes the number after all that stand, and notes the revision that a person puts it over', () => {
    expect(nextGeneration(stateOf(), own)).toEqual({ hash: OWN, number: 1 });
    const retired = standing(`${OWN}-1`, { turn: 7, retiredAt: NEW_YEAR });
    expect(nextGeneration(stateOf(standing('aaaaaaaa-3', live), retired), own)).toEqual({ hash: OWN, number: 8 });
    expect(nextGeneration(stateOf(standing('aaaaaaaa-3', { ...live, revision: 6 })), own).over).toBe(6);
    expect(nextGeneration(stateOf(standing('aaaaaaaa-3', { ...live, over: 7 })), own).over).toBe(7);
  });
});

describe('going live', () => {
  const next = standing(`${OWN}-2`);

  it('is for the foremost generation of a mapping', () => {
    const state = stateOf(next, standing(`${OWN}-1`, live), standing('aaaaaaaa-9'));
    expect(candidateOf(state, OWN)?.name).toBe(`${OWN}-2`);
  });

  it.each<[boolean, string, StoredGeneration, StoredGeneration[]]>([
    [true, 'nothing is live', next, []],
    [true, 'one behind it is live', next, [standing(`${OWN}-1`, live)]],
    [true, 'one ahead of it is not live', next, [standing('cccccccc-3'), standing(`${OWN}-1`, live)]],
    [true, 'it is half live itself', { ...next, ...half }, []],
    [false, 'one ahead of it is live', next, [standing(`${OWN}-3`, live)]],
    [false, 'one ahead of it is live for one type', next, [standing('cccccccc-3', half)]],
    [false, 'one behind it was chosen later', next, [standing('aaaaaaaa-1', { ...live, turn: 3 })]],
    [false, 'it lacks an index', standing(`${OWN}-2`, { has: ['POOL'] }), []],
  ])('is allowed (%s) when %s', (isAllowed, _, one, others) => {
    expect(mayCutOver(one, stateOf(one, ...others))).toBe(isAllowed);
  });

  it('is whole only when both aliases stand for it and nothing else', () => {
    const one = standing('aaaaaaaa-2', live);
    expect(isWhollyLive(one, stateOf(one, standing('aaaaaaaa-1')))).toBe(true);
    expect(isWhollyLive(one, stateOf(one, standing('aaaaaaaa-1', half)))).toBe(false);
    expect(isWhollyLive(one, { generations: [one], strangers: { POOL: ['by-hand'], PROJECT: [] } })).toBe(false);
    expect(isWhollyLive(next, stateOf(next))).toBe(false);
  });

  it('is not needed for searches to be answered', () => {
    const halves = [standing('aaaaaaaa-1', half), standing('aaaaaaaa-2', { liveFor: ['PROJECT'] })];
    expect(canBeSearched(stateOf(...halves))).toBe(true);
    expect(canBeSearched(stateOf(...halves.slice(1)))).toBe(false);
  });
});

describe('choosing a generation', () => {
  const old = standing('aaaaaaaa-1', { revision: 4, retiredAt: NEW_YEAR });
  const newer = standing(`${OWN}-2`, { ...live, revision: 5 });
  const back = { ...old, meta: chosen(old, stateOf(old, newer)) };

  it('brings it ahead of all others, over their revisions, and out of retirement', () => {
    expect(back.meta).toEqual({ revision: 4, turn: 3, over: 5 });
    expect([retiredAt(old), retiredAt(back)]).toEqual([new Date(NEW_YEAR), undefined]);
  });

  it('lets it take the aliases, and nobody takes them back', () => {
    expect(mayCutOver(back, stateOf(back, newer))).toBe(true);
    const after = stateOf({ ...back, ...live }, { ...newer, liveFor: [] });
    expect(mayCutOver({ ...newer, liveFor: [] }, after)).toBe(false);
    expect([mayBegin(after, own), mayBegin(after, { ...own, revision: 6 })]).toEqual([false, true]);
  });
});

describe('a generation whose place another has taken', () => {
  const MINUTE = 60_000;
  const now = Date.parse('2026-01-01T00:10:00Z');
  const fresh = standing('aaaaaaaa-1');
  const old = standing('aaaaaaaa-1', { retiredAt: NEW_YEAR });
  const front = standing('aaaaaaaa-2', live);

  it('may be given up while another is live, unless an alias stands for it', () => {
    expect(mayBeDropped(fresh, stateOf(fresh, front))).toBe(true);
    expect(mayBeDropped(front, stateOf(fresh, front))).toBe(false);
    expect(mayBeDropped(standing('aaaaaaaa-3', half), stateOf(fresh, front))).toBe(false);
    expect(mayBeDropped(fresh, stateOf(fresh))).toBe(false);
  });

  it('is noticed once the other is wholly live', () => {
    expect(superseded(stateOf(fresh, front))).toEqual([fresh]);
    expect(superseded(stateOf(fresh, standing('aaaaaaaa-2', half)))).toEqual([]);
    expect(superseded(stateOf(old, front))).toEqual([]);
    expect(superseded(stateOf(front, standing('aaaaaaaa-3')))).toEqual([]);
  });

  it('is retired since it was first seen to be, of several who saw it at once', () => {
    const at = (ms: number) => ({ turn: 1, at: new Date(ms) });
    expect(retiredAt({ ...old, retirements: [at(3), at(2), { turn: 7, at: new Date(1) }] })).toEqual(new Date(2));
  });

  it('is removed so long after, and never while it is live or nothing is', () => {
    expect(outlived(stateOf(old, front), now, 10 * MINUTE)).toEqual([old]);
    expect(outlived(stateOf(old, front), now - 1, 10 * MINUTE)).toEqual([]);
    expect(outlived(stateOf({ ...old, ...live }), now, 10 * MINUTE)).toEqual([]);
    expect(outlived(stateOf(old), now, 10 * MINUTE)).toEqual([]);
    expect(outlived(stateOf(fresh, front), now, 0)).toEqual([]);
  });
});
