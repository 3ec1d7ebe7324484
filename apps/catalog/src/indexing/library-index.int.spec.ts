import { freshPrefix, testEngines } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { OpenSearch } from '../open-search/open-search.js';
import { indexBody } from './index-body.js';
import { LibraryIndex } from './library-index.js';
import { mappingHash } from './revision.js';

describe('LibraryIndex', () => {
  const openSearch = new OpenSearch(testEngines().opensearchUrl);
  let prefix: string;
  const instance = () => new LibraryIndex(openSearch, prefix);

  const ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> =>
    openSearch.ask({ method, path, ...(body && { body }) }, z.record(z.string(), z.unknown()), 10_000);
  const remove = (index: string) => fetch(`${testEngines().opensearchUrl}/${index}`, { method: 'DELETE' });
  const indices = async () => Object.keys(await ask('GET', `/${prefix}*`)).map((name) => name.slice(prefix.length));
  const behind = async (alias: string) => Object.keys(await ask('GET', `/_alias/${prefix}${alias}`));

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    prefix = freshPrefix();
  });
  afterAll(() => openSearch.close());

  it('makes the first generation', async () => {
    const generation = await instance().open();
    expect((await indices()).sort()).toEqual([`pools-${mappingHash()}-1`, `projects-${mappingHash()}-1`]);
    expect(generation.indices.POOL).toBe(`${prefix}pools-${mappingHash()}-1`);
  });

  it('makes one, however many instances start at once', async () => {
    const generations = await Promise.all(Array.from({ length: 6 }, () => instance().open()));
    expect(await indices()).toHaveLength(2);
    for (const generation of generations) expect(generation).toEqual(generations[0]);
  });

  it('is found again after a restart', async () => {
    const before = await instance().open();
    expect(await instance().open()).toEqual(before);
  });

  it('completes one that a process has left half made', async () => {
    await ask('PUT', `/${prefix}pools-${mappingHash()}-1`, indexBody('POOL'));
    await instance().open();
    expect(await indices()).toHaveLength(2);
  });

  it('joins the newest generation of its mapping', async () => {
    await instance().open();
    await ask('PUT', `/${prefix}pools-${mappingHash()}-2`, indexBody('POOL'));
    expect((await instance().open()).number).toBe(2);
  });

  it('is read from the beginning when an index was lost and is made anew', async () => {
    const before = await instance().open();
    await remove(before.indices.PROJECT);
    const after = await instance().open();
    expect(after.indices).toEqual(before.indices);
    expect(after.group).not.toBe(before.group);
  });

  it('can be searched under its aliases only once it went live', async () => {
    const library = instance();
    const { indices: own } = await library.open();
    await expect(behind('pools')).rejects.toThrow('404');
    await library.goLive();
    expect([await behind('pools'), await behind('projects')]).toEqual([[own.POOL], [own.PROJECT]]);
  });

  it('goes live once, however many instances say so', async () => {
    const libraries = Array.from({ length: 4 }, instance);
    for (const library of libraries) await library.open();
    await Promise.all(libraries.map((library) => library.goLive()));
    expect(await behind('pools')).toHaveLength(1);
    expect(await behind('projects')).toHaveLength(1);
  });

  it('shows what was written just before it went live', async () => {
    const library = instance();
    const { indices: own } = await library.open();
    await ask('PUT', `/${own.POOL}/_doc/pool_a`, { id: 'pool_a', name: 'A' });
    await library.goLive();
    expect(await ask('GET', `/${prefix}pools/_count`)).toMatchObject({ count: 1 });
  });

  const other = async (revision: number) => {
    const name = `${prefix}pools-00000000-1`;
    await ask('PUT', `/${name}`, { mappings: { _meta: { revision } }, aliases: { [`${prefix}pools`]: {} } });
    return name;
  };

  it('takes the aliases from a mapping of a lower revision', async () => {
    await other(0);
    const library = instance();
    const { indices: own } = await library.open();
    await library.goLive();
    expect([await behind('pools'), await behind('projects')]).toEqual([[own.POOL], [own.PROJECT]]);
  });

  it('leaves them to a mapping of a higher revision', async () => {
    const newer = await other(1_000);
    const library = instance();
    await library.open();
    await library.goLive();
    expect(await behind('pools')).toEqual([newer]);
  });

  it.each([
    ['lower', 0],
    ['higher', 1_000],
  ])('stands alone or not at all when a %s revision goes live at the same moment', async (_, revision) => {
    // The other takes the alias in the middle: after we have looked, before we move.
    class Racing extends OpenSearch {
      theirs = '';
      override async ask<T>(...[question, answer, deadlineMs]: Parameters<OpenSearch['ask']>): Promise<T> {
        if (question.path.endsWith('/_refresh')) this.theirs = await other(revision);
        return (await super.ask(question, answer, deadlineMs)) as T;
      }
    }
    const racing = new Racing(testEngines().opensearchUrl);
    const library = new LibraryIndex(racing, prefix);
    const { indices: own } = await library.open();
    await library.goLive();
    await racing.close();
    expect(await behind('pools')).toEqual([revision === 0 ? own.POOL : racing.theirs]);
  });
});
