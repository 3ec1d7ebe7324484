import { freshPrefix } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { nth, recordOf, STATE, TestIndices } from '../testing/indices.js';
import { GenerationRemover } from './cut-over.js';
import { LibraryIndex } from './library-index.js';
import type { StoredGeneration } from './library-state.js';
import { mayCutOver, withRecord } from './precedence.js';

describe('LibraryIndex', () => {
  let indices: TestIndices;
  let library: LibraryIndex;
  const namesOf = (number: number) => [`pools-${nth(number)}`, `projects-${nth(number)}`];
  const make = async (number: number): Promise<StoredGeneration> => {
    const state = await library.readState();
    const { generations, lastNumber } = state.document;
    const document = { lastNumber: Math.max(lastNumber, number), generations: [...generations, recordOf(number)] };
    expect(await library.update(state, document)).toBe(true);
    await library.createIndices(recordOf(number));
    return await indices.generation(number);
  };
  const swapAliases = async (next: StoredGeneration) => library.swapAliases(next, await library.readState());
  const choose = (number: number) => indices.choose(number);
  const aliasTargets = async () => [
    ...(await indices.namesOfAlias('pools')),
    ...(await indices.namesOfAlias('projects')),
  ];
  const settingsOf = async (index: string) => {
    const [settings] = Object.values(await indices.ask('GET', `/${index}/_settings`));
    return (settings as { settings: { index: Record<string, string> } }).settings.index;
  };

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    indices = new TestIndices(freshPrefix());
    library = indices.library;
  });
  afterEach(() => indices.close());

  it('creates a generation once, however many processes create it at once', async () => {
    const nothing = { generations: [], removing: [], foreignIndices: { POOL: [], PROJECT: [] }, version: undefined };
    expect(await library.readState()).toMatchObject(nothing);
    await Promise.all(Array.from({ length: 6 }, () => library.createIndices(recordOf(1))));
    expect(await indices.names()).toEqual(namesOf(1));
    expect(await indices.generation(1)).toMatchObject({
      existingTypes: ['POOL', 'PROJECT'],
      liveFor: [],
      ...recordOf(1),
    });
  });

  it('completes a generation that another process has left incomplete, with another consumer group', async () => {
    const before = await make(1);
    await indices.remove(`projects-${nth(1)}`);
    expect(await indices.generation(1)).toMatchObject({ existingTypes: ['POOL'] });
    await library.createIndices(recordOf(1));
    const after = await indices.generation(1);
    expect(after.existingTypes).toEqual(['POOL', 'PROJECT']);
    expect(after.group).not.toBe(before.group);
  });

  it('fills a generation without refresh and replicas, and enables both and makes all documents searchable before it is live', async () => {
    const one = await make(1);
    expect(await settingsOf(one.indices.POOL)).toMatchObject({ refresh_interval: '-1', number_of_replicas: '0' });
    await indices.ask('PUT', `/${one.indices.POOL}/_doc/pool_a`, { id: 'pool_a', name: 'A' });
    expect(await library.countDocuments(one, 'POOL')).toBe(0);
    await swapAliases(one);
    expect(await library.countDocuments(one, 'POOL')).toBe(1);
    expect(await settingsOf(one.indices.POOL)).toMatchObject({ refresh_interval: '1s', auto_expand_replicas: '0-1' });
  });

  it('creates a generation with the configured shards and replicas, which do not change its name', async () => {
    const { openSearch, prefix } = indices;
    library = new LibraryIndex(openSearch, prefix, { shards: 2, replicas: '0-2' });
    await swapAliases(await make(1));
    const layout = { number_of_shards: '2', auto_expand_replicas: '0-2' };
    expect(await settingsOf((await indices.generation(1)).indices.POOL)).toMatchObject(layout);
    const other = await new LibraryIndex(openSearch, prefix, { shards: 5, replicas: '1' }).readState();
    expect(other.generations.map(({ number }) => number)).toEqual([1]);
  });

  it('swaps both aliases in one call, once, however many processes do', async () => {
    await swapAliases(await make(1));
    const next = await make(2);
    const state = await library.readState();
    const swaps = await Promise.all(Array.from({ length: 4 }, () => library.swapAliases(next, state)));
    expect(swaps.filter(Boolean)).toHaveLength(1);
    expect(await aliasTargets()).toEqual(namesOf(2));
    expect(await indices.live()).toBe(next.name);
  });

  it('never swaps them back for a process with stale state', async () => {
    await swapAliases(await make(1));
    const second = await make(2);
    const third = await make(3);
    const old = await library.readState();
    await swapAliases(second);
    await swapAliases(third);
    expect(await library.swapAliases(second, old)).toBe(false);
    expect(await aliasTargets()).toEqual(namesOf(3));
  });

  it('does not swap them after an operator has chosen another generation', async () => {
    await swapAliases(await make(1));
    const next = await make(2);
    const old = await library.readState();
    await choose(1);
    expect(await library.swapAliases(next, old)).toBe(false);
    expect(await aliasTargets()).toEqual(namesOf(1));
  });

  it('points both aliases to one generation when two become live at once', async () => {
    const [one, two] = [await make(1), await make(2)];
    const before = await library.readState();
    await Promise.all([library.swapAliases(one, before), library.swapAliases(two, before)]);
    expect(await indices.namesOfAlias('pools')).toHaveLength(1);
    expect(await indices.namesOfAlias('projects')).toHaveLength(1);
  });

  it('removes an alias from an index to which an operator has added it', async () => {
    await indices.ask('PUT', `/${indices.prefix}by-hand`, { aliases: { [`${indices.prefix}pools`]: {} } });
    await swapAliases(await make(1));
    expect(await aliasTargets()).toEqual(namesOf(1));
  });

  describe('the state document', () => {
    it('is written by the first of two processes that change it at once', async () => {
      await make(1);
      const state = await library.readState();
      const { document } = state;
      expect(await library.update(state, { ...document, lastNumber: 7 })).toBe(true);
      expect(await library.update(state, { ...document, lastNumber: 8 })).toBe(false);
      expect((await library.readState()).document.lastNumber).toBe(7);
      const never = new LibraryIndex(indices.openSearch, freshPrefix());
      const empty = await never.readState();
      expect([await never.update(empty, empty.document), await never.update(empty, empty.document)]).toEqual([
        true,
        false,
      ]);
    });

    it('keeps an operator’s choice when a process with stale state writes it', async () => {
      await make(1);
      await swapAliases(await make(2));
      const old = await library.readState();
      await choose(1);
      const topic = { cluster: 'one', topicId: 'first', ends: [] };
      const completed = withRecord(old.document, nth(1), (record) => ({ ...record, topic }));
      expect(await library.update(old, completed)).toBe(false);
      expect(await indices.generation(1)).toMatchObject({ precedence: 3 });
      expect(mayCutOver(await indices.generation(1), await library.readState())).toBe(true);
    });

    it('is created from the indices if it is missing, as after an upgrade, and is compatible with the previous release', async () => {
      await swapAliases(await make(1));
      await make(2);
      await choose(1);
      const before = await library.readState();
      await indices.remove(STATE);
      const after = await library.readState();
      expect(after.document).toMatchObject({ lastNumber: 3, generations: before.document.generations });
      expect(after.generations).toEqual(before.generations);
    });
  });

  describe('an old generation', () => {
    const remove = (retentionMs: number) =>
      library.readState().then((state) => new GenerationRemover(library, retentionMs).run(state));

    beforeEach(async () => {
      await make(1);
      await swapAliases(await make(2));
    });

    it('is recorded as superseded, then removed in three steps, each by any process', async () => {
      const since = Date.now();
      expect(await remove(60_000)).toBe(true);
      const { supersededAt = '' } = await indices.generation(1);
      expect(Date.parse(supersededAt)).toBeGreaterThanOrEqual(since);
      expect(await remove(60_000)).toBe(false);
      expect(await remove(0)).toBe(true);
      expect(
        (await library.readState()).removing.map(({ name, existingTypes }) => [name, existingTypes.length]),
      ).toEqual([[nth(1), 2]]);
      expect(await remove(0)).toBe(true);
      expect(await indices.names()).toEqual(namesOf(2));
      expect(await remove(0)).toBe(true);
      expect((await library.readState()).document).toEqual({ lastNumber: 2, generations: [recordOf(2)] });
      expect(await remove(0)).toBe(false);
      await expect(choose(1)).rejects.toThrow('there is no generation 1');
    });

    it('is not superseded or removed by a process that read the state before an operator chose it', async () => {
      const old = await library.readState();
      await choose(1);
      expect(await new GenerationRemover(library, 0).run(old)).toBe(false);
      await remove(60_000);
      expect(await indices.generation(1)).toMatchObject({ precedence: 3 });
      expect((await indices.generation(1)).supersededAt).toBeUndefined();
      await swapAliases(await indices.generation(1));
      await remove(60_000);
      const stale = await library.readState();
      await choose(2);
      expect(await new GenerationRemover(library, 0).run(stale)).toBe(false);
      expect(await indices.names()).toEqual([...namesOf(1), ...namesOf(2)].sort());
    });

    it('keeps its indices if another generation has become live since', async () => {
      const { document, ...state } = await library.readState();
      const removing = withRecord(document, nth(1), (record) => ({ ...record, isRemoving: true }));
      expect(await library.update({ document, ...state }, removing)).toBe(true);
      const stale = await library.readState();
      await swapAliases(await make(3));
      expect(await library.deleteRemoved(stale)).toBe(false);
      expect(await indices.names()).toHaveLength(6);
      expect(await library.deleteRemoved(await library.readState())).toBe(true);
      expect(await indices.names()).toEqual([...namesOf(2), ...namesOf(3)].sort());
    });
  });
});
