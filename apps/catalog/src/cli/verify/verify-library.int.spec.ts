import { Screen } from '@carbon/terminal';
import { eventually } from '@carbon/testing';
import { asset } from '../../test-asset.js';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from '../../test-catalog.js';
import { TestIndices } from '../../test-indices.js';
import { VERDICT_EXIT } from '../exit-code.js';
import { type Patience, report, verdictOf, verifyLibrary } from './verify-library.js';

describe('verify', () => {
  let library: TestLibrary;
  let indices: TestIndices;
  let catalog: TestCatalog;

  const find = async (patience: Partial<Patience> = {}) => {
    const engines = { openSearch: indices.openSearch, library: indices.library, kafka: library.kafka };
    const screen = new Screen({ write: () => true });
    return await verifyLibrary(engines, screen, patience);
  };
  const verify = async (lines = 20, patience: Partial<Patience> = {}) => report(await find(patience), lines);
  const live = (alias: string) => `/${library.prefix}${alias}`;

  beforeEach(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
    const assets = Array.from({ length: 30 }, (_, n) =>
      asset(`${n % 2 ? 'pool' : 'proj'}_${n}`, { rating: 3, vintages: [2020] }),
    );
    await library.publish(...assets);
    await library.withdraw('pool_29');
    catalog = await startCatalog(library.prefix);
    await catalog.ready();
  });
  afterEach(async () => {
    await catalog.close();
    await indices.close();
    await library.close();
  });

  const holds = (assets: number) => [expect.stringMatching(new RegExp(`^It holds: .*, ${assets} assets\\.$`))];

  it('finds nothing in a library that is as the topic says', async () => {
    expect(await verify()).toEqual(holds(29));
  });

  it('finds a field that was changed', async () => {
    await indices.ask('POST', `${live('pools')}/_update/pool_1`, { doc: { rating: 4.5 } });
    expect(await verify()).toEqual([
      'different pool_1: rating is 4.5, should be 3',
      expect.stringMatching(/0 missing, 0 surplus, 1 different, 0 ahead, of 29 assets\.$/),
    ]);
  });

  it('finds a field that was removed, and one that was added', async () => {
    const document = { id: 'proj_2', source: 'TOUCAN', name: 'proj_2', vintages: [2020], country: 'Peru' };
    await indices.ask('PUT', `${live('projects')}/_doc/proj_2`, document);
    expect((await verify())[0]).toBe(
      'different proj_2: country is "Peru", should be absent; rating is absent, should be 3',
    );
  });

  it('finds a document that was deleted, one that strayed in, and one in the wrong index', async () => {
    const stray = { id: 'pool_stray', source: 'TOUCAN', name: 'Stray' };
    await indices.ask('DELETE', `${live('projects')}/_doc/proj_4`);
    await indices.ask('PUT', `${live('pools')}/_doc/pool_stray`, stray);
    await indices.ask('PUT', `${live('projects')}/_doc/pool_3`, stray);
    const lines = await verify();
    expect(lines.slice(0, 3).sort()).toEqual([
      'missing proj_4: the topic has "proj_4"',
      expect.stringMatching(/^surplus pool_3: it does not belong into .*projects-/),
      'surplus pool_stray: the topic has no such asset, the index has "Stray"',
    ]);
    expect(lines[3]).toMatch(/1 missing, 2 surplus, 0 different, 0 ahead, of 29 assets\.$/);
  });

  it('finds a document that is right, but of a version that would keep out what is published next', async () => {
    const path = `${live('projects')}/_doc/proj_2`;
    const { _source } = await indices.ask('GET', path);
    await indices.ask('PUT', `${path}?version=1000&version_type=external`, _source as object);
    expect(await verify()).toEqual([
      expect.stringMatching(/^ahead proj_2: its version is 1000, should be [0-9]+: what is published next would be/),
      expect.stringMatching(/0 missing, 0 surplus, 0 different, 1 ahead, of 29 assets\.$/),
    ]);
  });

  it('finds a withdrawn asset that was put back', async () => {
    await indices.ask('PUT', `${live('pools')}/_doc/pool_29`, { id: 'pool_29', source: 'TOUCAN', name: 'Back' });
    expect((await verify())[0]).toBe('surplus pool_29: the topic has no such asset, the index has "Back"');
  });

  it('counts what it does not print', async () => {
    await indices.ask('POST', `${live('projects')}/_update_by_query?refresh=true`, {
      script: { source: "ctx._source.name = 'Another'" },
    });
    const lines = await verify(4);
    expect(lines.slice(4)).toEqual(['… and 11 more', expect.stringMatching(/15 different, 0 ahead, of 29 assets\.$/)]);
  });

  it('names so many that stand in the wrong index, and counts the rest', async () => {
    for (const id of ['pool_3', 'pool_5', 'pool_7', 'pool_9']) {
      await indices.ask('PUT', `${live('projects')}/_doc/${id}`, { id, source: 'TOUCAN', name: id });
    }
    const findings = await find({ mostStrays: 3 });
    expect(verdictOf(findings)).toBe('differs');
    expect(findings.differences).toHaveLength(3);
    expect(report(findings, 2)).toEqual([
      expect.stringMatching(/^surplus pool_[0-9]: it does not belong/),
      expect.stringMatching(/^surplus pool_[0-9]: it does not belong/),
      '… and 2 more, 1 of them only counted',
      expect.stringMatching(/0 missing, 4 surplus, 0 different, 0 ahead, of 29 assets\.$/),
    ]);
  });

  const whilePublishing = async (work: () => Promise<void>) => {
    const publishing = { going: true };
    const publisher = (async () => {
      for (let n = 0; publishing.going; n += 1) {
        await library.publish(...[1, 3, 5, 7].map((id) => asset(`pool_${id}`, { name: `Name ${n}` })));
        await library.withdraw('pool_9');
        await library.publish(asset('pool_9'), asset(`pool_new_${n}`));
      }
    })();
    try {
      await work();
    } finally {
      publishing.going = false;
      await publisher;
    }
  };

  it('accuses nobody of a difference that is only news', () =>
    whilePublishing(async () => {
      for (let time = 0; time < 3; time += 1) expect((await verify()).at(-1)).toMatch(/^It holds/);
    }));

  it('accuses nobody either when more changes than it can look at, and says how much it could not compare', () =>
    whilePublishing(async () => {
      const findings = await find({ mostSuspects: 1, rounds: 2 });
      expect(VERDICT_EXIT[verdictOf(findings)]).toBe(3);
      expect(report(findings, 20)).toEqual([
        expect.stringMatching(/^[0-9,]+ assets changed meanwhile and could not be compared\.$/),
        expect.stringMatching(/^It holds as far as it could be compared: /),
      ]);
    }));

  it('tells of differences that it has not looked at when those that it has are some', async () => {
    for (const id of ['pool_1', 'pool_3', 'pool_5']) {
      await indices.ask('POST', `${live('pools')}/_update/${id}`, { doc: { rating: 4.5 } });
    }
    expect(await verify(20, { mostSuspects: 2 })).toEqual([
      expect.stringMatching(/^different pool_/),
      expect.stringMatching(/^different pool_/),
      expect.stringMatching(/2 different, 0 ahead, and 1 more that may, of 29 assets\.$/),
    ]);
  });

  it('passes over what is a dead letter, and compares with what the id was before', async () => {
    await library.send('pool_1', '{"id":"pool_1"');
    await library.send('fund_1', JSON.stringify(asset('pool_1')));
    await library.send('pool_3', JSON.stringify(asset('pool_1')));
    expect(await verify()).toEqual(holds(29));
  });

  it('says so when nobody brings the index up to what was published', async () => {
    await catalog.close();
    await library.publish(asset('pool_unheard'));
    await expect(verify(20, { standstillMs: 3_000 })).rejects.toThrow(
      /is 1 messages behind the topic and gets no further/,
    );
    catalog = await startCatalog(library.prefix);
    await eventually(async () => expect(await verify()).toEqual(holds(30)));
  });
});
