import { freshPrefix } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { TestIndices } from '../testing/indices.js';
import { LibraryIndex } from './library-index.js';
import type { LibraryState, StoredGeneration } from './library-state.js';
import { MAPPING_REVISION, mappingHash } from './mapping.js';
import { chosen, frontOf, mayCutOver, retiredAt, superseded } from './precedence.js';
import { RetireGenerations } from './swap-generations.js';

const META = { revision: MAPPING_REVISION };

describe('LibraryIndex', () => {
  let indices: TestIndices;
  const key = (number: number) => ({ hash: mappingHash(), number });
  const nth = (number: number) => ['pools', 'projects'].map((kind) => `${kind}-${mappingHash()}-${number}`);
  const make = async (number: number): Promise<StoredGeneration> => {
    await indices.library.make(key(number), META);
    return await indices.generation(number);
  };
  const swapAliases = async (next: StoredGeneration) => indices.library.swapAliases(next, await indices.library.look());
  const behind = async () => [...(await indices.behind('pools')), ...(await indices.behind('projects'))];
  const settingsOf = async (index: string) => {
    const [settings] = Object.values(await indices.ask('GET', `/${index}/_settings`));
    return (settings as { settings: { index: Record<string, string> } }).settings.index;
  };

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    indices = new TestIndices(freshPrefix());
  });
  afterEach(() => indices.close());

  it('makes a generation once, however many processes make it at once', async () => {
    expect(await indices.library.look()).toEqual({ generations: [], strangers: { POOL: [], PROJECT: [] } });
    await Promise.all(Array.from({ length: 6 }, () => indices.library.make(key(1), META)));
    expect(await indices.names()).toEqual(nth(1));
    expect(await indices.generation(1)).toMatchObject({ has: ['POOL', 'PROJECT'], liveFor: [], meta: META });
  });

  it('completes one that a process has left half made, with another consumer group', async () => {
    const before = await make(1);
    await indices.remove(`projects-${mappingHash()}-1`);
    expect(await indices.generation(1)).toMatchObject({ has: ['POOL'] });
    const after = await make(1);
    expect(after.has).toEqual(['POOL', 'PROJECT']);
    expect(after.group).not.toBe(before.group);
  });

  it('fills a generation unseen and uncopied, and shows all of it, refreshed every second, from when it is live', async () => {
    const one = await make(1);
    expect(await settingsOf(one.indices.POOL)).toMatchObject({ refresh_interval: '-1', number_of_replicas: '0' });
    await indices.ask('PUT', `/${one.indices.POOL}/_doc/pool_a`, { id: 'pool_a', name: 'A' });
    expect(await indices.library.documents(one, 'POOL')).toBe(0);
    await swapAliases(one);
    expect(await indices.library.documents(one, 'POOL')).toBe(1);
    expect(await settingsOf(one.indices.POOL)).toMatchObject({ refresh_interval: '1s', auto_expand_replicas: '0-1' });
  });

  it('gives a generation the shards and replicas of the settings, which name no other one', async () => {
    const { openSearch, prefix } = indices;
    const library = new LibraryIndex(openSearch, prefix, { shards: 2, replicas: '0-2' });
    await library.make(key(1), META);
    await library.swapAliases(await indices.generation(1), await library.look());
    const layout = { number_of_shards: '2', auto_expand_replicas: '0-2' };
    expect(await settingsOf((await indices.generation(1)).indices.POOL)).toMatchObject(layout);
    const other = await new LibraryIndex(openSearch, prefix, { shards: 5, replicas: '1' }).look();
    expect(other.generations.map(({ number }) => number)).toEqual([1]);
  });

  it('moves both aliases in one call, once, however many processes do', async () => {
    await swapAliases(await make(1));
    const next = await make(2);
    const state = await indices.library.look();
    const moved = await Promise.all(Array.from({ length: 4 }, () => indices.library.swapAliases(next, state)));
    expect(moved.filter(Boolean)).toHaveLength(1);
    expect(await behind()).toEqual(nth(2));
    expect(await indices.live()).toBe(next.name);
  });

  it('never moves them back for a process that had looked long ago', async () => {
    await swapAliases(await make(1));
    const second = await make(2);
    const longAgo = await indices.library.look();
    await swapAliases(second);
    await swapAliases(await make(3));
    expect(await indices.library.swapAliases(second, longAgo)).toBe(false);
    expect(await behind()).toEqual(nth(3));
  });

  it('leaves the aliases to the foremost of two that went live at once', async () => {
    const [one, two] = [await make(1), await make(2)];
    const before = await indices.library.look();
    await Promise.all([indices.library.swapAliases(one, before), indices.library.swapAliases(two, before)]);
    expect(await indices.behind('pools')).toHaveLength(2);
    await indices.library.resolveSharedAliases(await indices.library.look());
    expect(await behind()).toEqual(nth(2));
  });

  it('takes an alias from an index that somebody has put behind it by hand', async () => {
    await indices.ask('PUT', `/${indices.prefix}by-hand`, { aliases: { [`${indices.prefix}pools`]: {} } });
    await swapAliases(await make(1));
    expect(await behind()).toEqual(nth(1));
  });

  it('removes what there is of a generation that has had its time, and nothing that was chosen again between the look and the deed', async () => {
    const [old, live] = [await make(1), await make(2)];
    await swapAliases(live);
    const seenLive = await indices.generation(2);
    await swapAliases(old);
    expect(await indices.library.remove(old, seenLive)).toBe(false);
    expect(await behind()).toEqual(nth(1));
    await swapAliases(live);
    await indices.remove(`projects-${mappingHash()}-1`);
    const half = await indices.generation(1);
    expect(await indices.library.remove(half, await indices.generation(2))).toBe(true);
    expect(await indices.names()).toEqual(nth(2));
  });

  it('keeps what is noted of a generation, and its mapping', async () => {
    const one = await make(1);
    await swapAliases(await make(2));
    await indices.library.note(one, chosen(one, await indices.library.look()));
    expect((await indices.generation(1)).meta).toEqual({ revision: MAPPING_REVISION, turn: 3 });
    await swapAliases(await indices.generation(1));
    expect(frontOf(await indices.library.look())?.name).toBe(one.name);
    await expect(indices.ask('PUT', `/${one.indices.POOL}/_doc/pool_a`, { nome: 'A' })).rejects.toThrow('strict');
  });

  describe('when a generation has lost its place', () => {
    let seen: LibraryState;
    const retire = () => new RetireGenerations(indices.library, 600_000).run(seen);
    const choose = async () => {
      const one = await indices.generation(1);
      await indices.library.note(one, chosen(one, await indices.library.look()));
    };
    beforeEach(async () => {
      await swapAliases(await make(1));
      await swapAliases(await make(2));
      seen = await indices.library.look();
    });

    it('writes that down once, and knows it ever after', async () => {
      const before = new Date();
      await retire();
      expect(retiredAt(await indices.generation(1))?.getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(superseded(await indices.library.look())).toEqual([]);
      expect(await indices.live()).toBe(`${mappingHash()}-2`);
    });

    it('does not retire it when a person has chosen it meanwhile and it is live', async () => {
      await choose();
      await swapAliases(await indices.generation(1));
      await retire();
      const one = await indices.generation(1);
      expect([one.meta.turn, one.retirements]).toEqual([3, []]);
      expect(mayCutOver(await indices.generation(2), await indices.library.look())).toBe(false);
    });

    it('retires it for a turn that is over when it was chosen and is yet to go live, and what was chosen stands', async () => {
      await choose();
      await retire();
      const one = await indices.generation(1);
      expect([one.meta.turn, one.retirements.map(({ turn }) => turn), retiredAt(one)]).toEqual([3, [1, 1], undefined]);
      await swapAliases(one);
      expect(superseded(await indices.library.look()).map(({ number }) => number)).toEqual([2]);
    });
  });
});
