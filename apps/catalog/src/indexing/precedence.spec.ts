import {
  canBeSearched,
  candidateOf,
  chosen,
  compareGenerations,
  isWhollyLive,
  mayBeDropped,
  mayBegin,
  mayGoLive,
  nextGeneration,
  outlived,
  retiredAt,
  superseded,
} from './precedence.js';
import { BOTH, standing, stateOf } from './test-generations.js';

const OWN = 'bbbbbbbb';
const own = { hash: OWN, revision: 5 };
const live = { liveFor: BOTH };
const MINUTE = 60_000;

describe('the order of generations', () => {
  it('goes by turn: the later number, or the later choice', () => {
    const [first, second] = [standing('aaaaaaaa-1', { turn: 3 }), standing('bbbbbbbb-2', { revision: 9 })];
    expect(compareGenerations(first, second)).toBeGreaterThan(0);
    expect(compareGenerations(standing('aaaaaaaa-1'), second)).toBeLessThan(0);
  });

  it('puts the higher revision first of two that were begun at once', () => {
    const [lower, higher] = [standing('bbbbbbbb-2', { revision: 4 }), standing('aaaaaaaa-2', { revision: 5 })];
    expect(compareGenerations(higher, lower)).toBeGreaterThan(0);
    expect(compareGenerations(lower, higher)).toBeLessThan(0);
  });

  it('is the same for everybody, whatever is compared', () => {
    const one = standing('aaaaaaaa-2');
    expect(compareGenerations(one, one)).toBe(0);
    expect(compareGenerations(one, standing('bbbbbbbb-2')) + compareGenerations(standing('bbbbbbbb-2'), one)).toBe(0);
  });
});

describe('beginning a generation', () => {
  it.each([
    ['nothing stands', []],
    ['a lower revision is live', [standing('aaaaaaaa-1', { ...live, revision: 4 })]],
    [
      'its own was retired when an older one was brought back, and a newer version has come',
      [
        standing('bbbbbbbb-2', { retiredAt: '2026-01-01T00:00:00Z' }),
        standing('aaaaaaaa-1', { ...live, turn: 3, over: 4 }),
      ],
    ],
  ])('is done by itself when %s', (_, generations) => {
    expect(mayBegin(stateOf(...generations), own)).toBe(true);
  });

  it.each([
    ['its own is live', [standing(`${OWN}-1`, live)]],
    ['its own is on its way', [standing('aaaaaaaa-1', live), standing(`${OWN}-2`)]],
    ['a higher revision is live', [standing('aaaaaaaa-1', { ...live, revision: 6 })]],
    ['another mapping of the same revision is live', [standing('aaaaaaaa-1', { ...live, revision: 5 })]],
    ['a higher revision is on its way', [standing('cccccccc-2', { revision: 6 }), standing('aaaaaaaa-1', live)]],
    ['a person has put an older one over it', [standing('aaaaaaaa-1', { ...live, over: 5 })]],
  ])('is not when %s', (_, generations) => {
    expect(mayBegin(stateOf(...generations), own)).toBe(false);
  });

  it('takes the number after all that stand', () => {
    const state = stateOf(
      standing('aaaaaaaa-3', live),
      standing(`${OWN}-1`, { turn: 7, retiredAt: '2026-01-01T00:00:00Z' }),
    );
    expect(nextGeneration(state, own)).toEqual({ hash: OWN, number: 8 });
    expect(nextGeneration(stateOf(), own)).toEqual({ hash: OWN, number: 1 });
  });

  it('notes the revision that a person puts it over, and what that was put over', () => {
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

  it.each([
    ['nothing is live', stateOf(next)],
    ['one behind it is live', stateOf(next, standing(`${OWN}-1`, live))],
    ['one ahead of it is not live', stateOf(next, standing('cccccccc-3'), standing(`${OWN}-1`, live))],
    ['it is half live itself', stateOf({ ...next, liveFor: ['POOL'] })],
  ])('is allowed when %s', (_, state) => {
    expect(mayGoLive(state.generations[0] ?? next, state)).toBe(true);
  });

  it.each([
    ['one ahead of it is live', stateOf(standing(`${OWN}-3`, live))],
    ['one ahead of it is live for one type', stateOf(standing('cccccccc-3', { liveFor: ['PROJECT'] }))],
    ['one behind it was chosen later', stateOf(standing('aaaaaaaa-1', { ...live, turn: 3 }))],
  ])('is refused when %s', (_, state) => {
    expect(mayGoLive(next, state)).toBe(false);
  });

  it('is refused to one that lacks an index', () => {
    expect(mayGoLive(standing(`${OWN}-2`, { has: ['POOL'] }), stateOf())).toBe(false);
  });

  it('is whole only when both aliases stand for it and nothing else', () => {
    const one = standing('aaaaaaaa-2', live);
    expect(isWhollyLive(one, stateOf(one, standing('aaaaaaaa-1')))).toBe(true);
    expect(isWhollyLive(one, stateOf(one, standing('aaaaaaaa-1', { liveFor: ['POOL'] })))).toBe(false);
    expect(isWhollyLive(one, { generations: [one], strangers: { POOL: ['by-hand'], PROJECT: [] } })).toBe(false);
    expect(isWhollyLive(next, stateOf(next))).toBe(false);
  });

  it('is not needed for searches to be answered', () => {
    const halves = [standing('aaaaaaaa-1', { liveFor: ['POOL'] }), standing('aaaaaaaa-2', { liveFor: ['PROJECT'] })];
    expect(canBeSearched(stateOf(...halves))).toBe(true);
    expect(canBeSearched(stateOf(...halves.slice(1)))).toBe(false);
  });
});

describe('giving a generation up', () => {
  it('may be done while another is live, and with none that an alias stands for', () => {
    const [old, front, partly] = [standing('aaaaaaaa-1'), standing('aaaaaaaa-2', live), { liveFor: BOTH.slice(0, 1) }];
    expect(mayBeDropped(old, stateOf(old, front))).toBe(true);
    expect(mayBeDropped(front, stateOf(old, front))).toBe(false);
    expect(mayBeDropped(standing('aaaaaaaa-3', partly), stateOf(old, front))).toBe(false);
  });

  it('may not be done while nothing is live', () => {
    const only = standing('aaaaaaaa-1');
    expect(mayBeDropped(only, stateOf(only))).toBe(false);
  });
});

describe('choosing a generation', () => {
  const old = standing('aaaaaaaa-1', { revision: 4, retiredAt: '2026-01-01T00:00:00Z' });
  const newer = standing(`${OWN}-2`, { ...live, revision: 5 });

  it('brings it ahead of all others, over their revisions, and out of retirement', () => {
    const meta = chosen(old, stateOf(old, newer));
    expect(meta).toEqual({ revision: 4, turn: 3, over: 5 });
    expect([retiredAt(old), retiredAt({ ...old, meta })]).toEqual([new Date('2026-01-01T00:00:00Z'), undefined]);
  });

  it('lets it take the aliases, and nobody takes them back', () => {
    const back = { ...old, meta: chosen(old, stateOf(old, newer)) };
    expect(mayGoLive(back, stateOf(back, newer))).toBe(true);
    const after = stateOf({ ...back, ...live }, { ...newer, liveFor: [] });
    expect(mayGoLive({ ...newer, liveFor: [] }, after)).toBe(false);
    expect(mayBegin(after, own)).toBe(false);
    expect(mayBegin(after, { ...own, revision: 6 })).toBe(true);
  });
});

describe('a generation whose place another has taken', () => {
  const now = Date.parse('2026-01-01T00:10:00Z');
  const old = standing('aaaaaaaa-1', { retiredAt: '2026-01-01T00:00:00Z' });
  const front = standing('aaaaaaaa-2', live);

  it('is retired since it was first seen to be, of several who saw it at once', () => {
    const at = (ms: number) => ({ turn: 1, at: new Date(ms) });
    expect(retiredAt({ ...old, retirements: [at(3), at(2), { turn: 7, at: new Date(1) }] })).toEqual(new Date(2));
  });

  it('is noticed once the other is wholly live', () => {
    const fresh = standing('aaaaaaaa-1');
    expect(superseded(stateOf(fresh, front))).toEqual([fresh]);
    expect(superseded(stateOf(fresh, standing('aaaaaaaa-2', { liveFor: ['POOL'] })))).toEqual([]);
    expect(superseded(stateOf(old, front))).toEqual([]);
    expect(superseded(stateOf(front, standing('aaaaaaaa-3')))).toEqual([]);
  });

  it('is removed so long after, and never while it is live or nothing is', () => {
    expect(outlived(stateOf(old, front), now, 10 * MINUTE)).toEqual([old]);
    expect(outlived(stateOf(old, front), now - 1, 10 * MINUTE)).toEqual([]);
    expect(outlived(stateOf({ ...old, ...live }), now, 10 * MINUTE)).toEqual([]);
    expect(outlived(stateOf(old), now, 10 * MINUTE)).toEqual([]);
    expect(outlived(stateOf(standing('aaaaaaaa-1'), front), now, 0)).toEqual([]);
  });
});
