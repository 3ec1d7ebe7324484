import { generationOf } from './generation.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import {
  canBeSearched,
  candidateOf,
  compareGenerations,
  expiredGenerations,
  isFullyLive,
  isOutranked,
  mayBeDropped,
  mayCutOver,
  mayStart,
  newlySupersededGenerations,
  withChosen,
  withNewGeneration,
} from './precedence.js';

type Given = Partial<Omit<StoredGeneration, 'name' | 'hash' | 'number'>>;

const BOTH = ['POOL', 'PROJECT'] as const;

/**
 * Returns a generation by a name such as `aaaaaaaa-1`; by default complete, of revision 1 and with its number as
 * precedence.
 */
function generation(name: string, more: Given = {}): StoredGeneration {
  const [hash = '', digits] = name.split('-');
  const number = Number(digits);
  return {
    ...generationOf('', { hash, number }, { POOL: `${name} pools`, PROJECT: `${name} projects` }),
    revision: 1,
    precedence: number,
    existingTypes: BOTH,
    liveFor: [],
    createdAt: new Date(0),
    ...more,
  };
}

/** The library of these generations. */
function stateOf(...generations: readonly StoredGeneration[]): LibraryState {
  const records = generations.map(({ name, revision, precedence, supersededAt }) => {
    return { name, revision, precedence, ...(supersededAt && { supersededAt }) };
  });
  const lastNumber = Math.max(0, ...generations.flatMap(({ number, precedence }) => [number, precedence]));
  const document = { lastNumber, generations: records };
  return { generations, removing: [], foreignIndices: { POOL: [], PROJECT: [] }, document, version: undefined };
}

const OWN = 'bbbbbbbb';
const own = { hash: OWN, revision: 5 };
const live = { liveFor: BOTH };
const half = { liveFor: ['POOL'] } as const;
const NEW_YEAR = '2026-01-01T00:00:00Z';

describe('the order of generations', () => {
  it.each([
    [
      'a later choice above a later number',
      generation('aaaaaaaa-1', { precedence: 3 }),
      generation(`${OWN}-2`, { revision: 9 }),
    ],
    ['a later number above an earlier one', generation(`${OWN}-2`), generation('aaaaaaaa-1')],
    [
      'the higher revision above the lower of two begun at once',
      generation('aaaaaaaa-2', { revision: 5 }),
      generation(`${OWN}-2`),
    ],
  ])('ranks %s', (_, first, second) => {
    expect(compareGenerations(first, second)).toBeGreaterThan(0);
    expect(compareGenerations(second, first)).toBeLessThan(0);
  });

  it('is the same for all processes, whatever is compared', () => {
    const [one, other] = [generation('aaaaaaaa-2'), generation(`${OWN}-2`)];
    expect(compareGenerations(one, one)).toBe(0);
    expect(compareGenerations(one, other) + compareGenerations(other, one)).toBe(0);
  });
});

describe('starting a generation', () => {
  const retiredOwn = generation(`${OWN}-2`, { supersededAt: NEW_YEAR });

  it.each<[boolean, string, StoredGeneration[]]>([
    [true, 'no generation exists', []],
    [true, 'a lower revision is live', [generation('aaaaaaaa-1', { ...live, revision: 4 })]],
    [
      true,
      'its own was superseded when an older one was chosen, and a newer version is installed',
      [retiredOwn, generation('aaaaaaaa-1', { ...live, precedence: 3, overRevision: 4 })],
    ],
    [false, 'its own is live', [generation(`${OWN}-1`, live)]],
    [false, 'its own is being built', [generation('aaaaaaaa-1', live), generation(`${OWN}-2`)]],
    [false, 'a higher revision is live', [generation('aaaaaaaa-1', { ...live, revision: 6 })]],
    [false, 'another mapping of the same revision is live', [generation('aaaaaaaa-1', { ...live, revision: 5 })]],
    [
      false,
      'a higher revision is being built',
      [generation('cccccccc-2', { revision: 6 }), generation('aaaaaaaa-1', live)],
    ],
    [false, 'an operator chose an older one', [generation('aaaaaaaa-1', { ...live, overRevision: 5 })]],
  ])('starts automatically (%s) when %s', (expected, _, generations) => {
    expect(mayStart(stateOf(...generations), own)).toBe(expected);
  });

  it('is not replaced automatically while one of higher revision and precedence is to replace it', () => {
    const [old, next] = [generation('aaaaaaaa-1', live), generation(`${OWN}-2`, { revision: 2 })];
    expect([isOutranked(old, stateOf(old, next)), isOutranked(next, stateOf(old, next))]).toEqual([true, false]);
    const chosenBack = { ...old, precedence: 3 };
    expect(isOutranked(chosenBack, stateOf(chosenBack, { ...next, ...live }))).toBe(false);
  });

  it('assigns the next number, and records the revision that an operator replaces', () => {
    const mark = { cluster: 'one', topicId: 'first', ends: [] };
    const started = (...generations: StoredGeneration[]) => withNewGeneration(stateOf(...generations), own, mark);
    const record = { name: `${OWN}-1`, revision: 5, precedence: 1, topic: mark };
    expect(started()).toEqual({ record, document: { lastNumber: 1, generations: [record] } });
    const retired = generation(`${OWN}-1`, { precedence: 7, supersededAt: NEW_YEAR });
    const after = started(generation('aaaaaaaa-3', live), retired);
    expect(after).toMatchObject({ record: { name: `${OWN}-8`, precedence: 8 }, document: { lastNumber: 8 } });
    expect(after.document.generations.map(({ name }) => name)).toEqual(['aaaaaaaa-3', `${OWN}-1`, `${OWN}-8`]);
    expect(after.record.overRevision).toBeUndefined();
    expect(started(generation('aaaaaaaa-3', { ...live, revision: 6 })).record.overRevision).toBe(6);
    expect(started(generation('aaaaaaaa-3', { ...live, overRevision: 7 })).record.overRevision).toBe(7);
  });
});

describe('the swap of the aliases', () => {
  const next = generation(`${OWN}-2`);

  it('is for the preferred generation of a mapping', () => {
    const state = stateOf(next, generation(`${OWN}-1`, live), generation('aaaaaaaa-9'));
    expect(candidateOf(state, OWN)?.name).toBe(`${OWN}-2`);
  });

  it.each<[boolean, string, StoredGeneration, StoredGeneration[]]>([
    [true, 'nothing is live', next, []],
    [true, 'one behind it is live', next, [generation(`${OWN}-1`, live)]],
    [true, 'one ahead of it is not live', next, [generation('cccccccc-3'), generation(`${OWN}-1`, live)]],
    [true, 'it is half live itself', { ...next, ...half }, []],
    [false, 'one ahead of it is live', next, [generation(`${OWN}-3`, live)]],
    [false, 'one ahead of it is live for one type', next, [generation('cccccccc-3', half)]],
    [false, 'one behind it was chosen later', next, [generation('aaaaaaaa-1', { ...live, precedence: 3 })]],
    [false, 'it lacks an index', generation(`${OWN}-2`, { existingTypes: ['POOL'] }), []],
  ])('is allowed (%s) when %s', (isAllowed, _, one, others) => {
    expect(mayCutOver(one, stateOf(one, ...others))).toBe(isAllowed);
  });

  it('is complete only when both aliases point to it and to nothing else', () => {
    const one = generation('aaaaaaaa-2', live);
    expect(isFullyLive(one, stateOf(one, generation('aaaaaaaa-1')))).toBe(true);
    expect(isFullyLive(one, stateOf(one, generation('aaaaaaaa-1', half)))).toBe(false);
    expect(isFullyLive(one, { ...stateOf(one), foreignIndices: { POOL: ['by-hand'], PROJECT: [] } })).toBe(false);
    expect(isFullyLive(next, stateOf(next))).toBe(false);
  });

  it('is not necessary for searches to be answered', () => {
    const halves = [generation('aaaaaaaa-1', half), generation('aaaaaaaa-2', { liveFor: ['PROJECT'] })];
    expect(canBeSearched(stateOf(...halves))).toBe(true);
    expect(canBeSearched(stateOf(...halves.slice(1)))).toBe(false);
  });
});

describe('choosing a generation', () => {
  const old = generation('aaaaaaaa-1', { revision: 4, supersededAt: NEW_YEAR });
  const newer = generation(`${OWN}-2`, { ...live, revision: 5 });
  const document = withChosen(old, stateOf(old, newer));
  const { supersededAt: _, ...rest } = old;
  const back = { ...rest, precedence: 3, overRevision: 5 };

  it('gives it the highest precedence, above the revisions of the others, and it is no longer superseded', () => {
    expect(document.lastNumber).toBe(3);
    expect(document.generations[0]).toEqual({ name: 'aaaaaaaa-1', revision: 4, precedence: 3, overRevision: 5 });
  });

  it('lets it take the aliases, and no process takes them back', () => {
    expect(mayCutOver(back, stateOf(back, newer))).toBe(true);
    const after = stateOf({ ...back, ...live }, { ...newer, liveFor: [] });
    expect(mayCutOver({ ...newer, liveFor: [] }, after)).toBe(false);
    expect([mayStart(after, own), mayStart(after, { ...own, revision: 6 })]).toEqual([false, true]);
  });
});

describe('a superseded generation', () => {
  const MINUTE = 60_000;
  const now = Date.parse('2026-01-01T00:10:00Z');
  const fresh = generation('aaaaaaaa-1');
  const old = generation('aaaaaaaa-1', { supersededAt: NEW_YEAR });
  const front = generation('aaaaaaaa-2', live);

  it('may be dropped while another is live, unless an alias points to it', () => {
    expect(mayBeDropped(fresh, stateOf(fresh, front))).toBe(true);
    expect(mayBeDropped(front, stateOf(fresh, front))).toBe(false);
    expect(mayBeDropped(generation('aaaaaaaa-3', half), stateOf(fresh, front))).toBe(false);
    expect(mayBeDropped(fresh, stateOf(fresh))).toBe(false);
  });

  it('is recorded as superseded once the other is live for both types', () => {
    expect(newlySupersededGenerations(stateOf(fresh, front))).toEqual([fresh]);
    expect(newlySupersededGenerations(stateOf(fresh, generation('aaaaaaaa-2', half)))).toEqual([]);
    expect(newlySupersededGenerations(stateOf(old, front))).toEqual([]);
    expect(newlySupersededGenerations(stateOf(front, generation('aaaaaaaa-3')))).toEqual([]);
  });

  it('is removed after the retention, and never while it is live or nothing is', () => {
    expect(expiredGenerations(stateOf(old, front), now, 10 * MINUTE)).toEqual([old]);
    expect(expiredGenerations(stateOf(old, front), now - 1, 10 * MINUTE)).toEqual([]);
    expect(expiredGenerations(stateOf({ ...old, ...live }), now, 10 * MINUTE)).toEqual([]);
    expect(expiredGenerations(stateOf(old), now, 10 * MINUTE)).toEqual([]);
    expect(expiredGenerations(stateOf(fresh, front), now, 0)).toEqual([]);
  });
});
