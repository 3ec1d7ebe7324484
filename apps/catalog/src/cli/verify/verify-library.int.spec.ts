import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carbon/testing';
import { asset } from '../../testing/library.js';
import { catalogWith, freshLibrary } from '../../testing/set-up.js';
import { report, VERDICT_EXIT, verdictOf } from './report.js';
import type { VerifyLimits } from './verify-library.js';

const ASSETS = Array.from({ length: 30 }, (_, n) =>
  asset(`${n % 2 ? 'pool' : 'proj'}_${n}`, { rating: 3, vintages: [2020] }),
);
const holds = (assets: number) => [expect.stringMatching(new RegExp(`^OK: .*, ${assets} assets\\.$`))];

describe('verify', () => {
  describe('of a library that matches the topic', () => {
    const { library, indices } = catalogWith(...ASSETS);
    const verify = async (limits?: Partial<VerifyLimits>) => report(await indices.verify(library, limits), 20);

    const whilePublishing = async (work: () => Promise<void>) => {
      const publishing = { going: true };
      const publisher = (async () => {
        for (let n = 0; publishing.going; n += 1) {
          await library.publish(...[1, 3, 5, 7].map((id) => asset(`pool_${id}`, { name: `Name ${n}` })));
          await library.withdraw('pool_9');
          await library.publish(asset('pool_9'), asset(`pool_new_${n}`));
          // The library changes at a bounded rate; without a bound, the topic would grow faster than it is read.
          await sleep(100);
        }
      })();
      try {
        await work();
      } finally {
        publishing.going = false;
        await publisher;
      }
    };

    it('finds nothing, and ignores withdrawn assets and dead letters', async () => {
      await library.withdraw('pool_29');
      await library.send('pool_1', '{"id":"pool_1"');
      await library.send('fund_1', JSON.stringify(asset('pool_1')));
      await library.send('pool_3', JSON.stringify(asset('pool_1')));
      expect(await verify()).toEqual(holds(29));
    });

    it('reports no difference that is caused by a newer message', () =>
      whilePublishing(async () => {
        for (let time = 0; time < 3; time += 1) expect((await verify()).at(-1)).toMatch(/^(?:OK|UNDECIDED)/);
      }));

    it('reports none either when there are more changes than it can check again, and counts the undecided ones', () =>
      whilePublishing(async () => {
        const result = await indices.verify(library, { maxCandidates: 1, rounds: 2 });
        expect(VERDICT_EXIT[verdictOf(result)]).toBe(3);
        expect(report(result, 20)).toEqual([
          expect.stringMatching(/^[0-9,]+ assets could not be compared: changed meanwhile, or too many to compare\.$/),
          expect.stringMatching(/^UNDECIDED: as far as it could be compared, /),
        ]);
      }));
  });

  describe('of a library without consumers', () => {
    const { library, indices, start, stop } = freshLibrary();

    it('reports that, and continues once there is a consumer', async () => {
      await start();
      await stop();
      await library.publish(asset('pool_unheard'));
      const behind = /is 1 position behind the topic and makes no progress/;
      await expect(indices.verify(library, { stallMs: 3_000 })).rejects.toThrow(behind);
      await start();
      await eventually(async () => expect(report(await indices.verify(library), 20)).toEqual(holds(1)));
    });
  });

  describe('of a library that was modified by hand', () => {
    const { library, indices } = catalogWith(...ASSETS);

    beforeAll(async () => {
      const live = (alias: string, rest: string) => `/${library.prefix}${alias}/${rest}`;
      const unpublished = { id: 'pool_stray', source: 'TOUCAN', name: 'Stray' };
      await library.withdraw('pool_29');
      await eventually(async () => expect(report(await indices.verify(library), 20)).toEqual(holds(29)));
      for (const id of ['pool_1', 'pool_3', 'pool_5']) {
        await indices.ask('POST', live('pools', `_update/${id}`), { doc: { rating: 4.5 } });
      }
      const changed = { id: 'proj_2', source: 'TOUCAN', name: 'proj_2', vintages: [2020], country: 'Peru' };
      await indices.ask('PUT', live('projects', '_doc/proj_2'), changed);
      await indices.ask('DELETE', live('projects', '_doc/proj_4'));
      await indices.ask('PUT', live('pools', '_doc/pool_stray'), unpublished);
      await indices.ask('PUT', live('pools', '_doc/pool_29'), { ...unpublished, id: 'pool_29', name: 'Back' });
      for (const id of ['pool_7', 'pool_9', 'pool_11']) {
        await indices.ask('PUT', live('projects', `_doc/${id}`), { ...unpublished, id });
      }
      // A correct document, but with a version that would reject the next message.
      const right = await indices.ask('GET', live('projects', '_doc/proj_6'));
      const version = '_doc/proj_6?version=1000&version_type=external';
      await indices.ask('PUT', live('projects', version), right._source as object);
    });

    it('finds every field, document and version that differs from the topic', async () => {
      const lines = report(await indices.verify(library), 20);
      const surplus = ['11', '7', '9'].map((n) => expect.stringMatching(`^surplus pool_${n}: it does not belong in`));
      expect(lines.slice(0, -1).sort()).toEqual([
        expect.stringMatching(/^ahead proj_6: its version is 1000, should be [0-9]+: the next message would be/),
        'different pool_1: rating is 4.5, should be 3',
        'different pool_3: rating is 4.5, should be 3',
        'different pool_5: rating is 4.5, should be 3',
        'different proj_2: country is "Peru", should be absent; rating is absent, should be 3',
        'missing proj_4: the topic has "proj_4"',
        surplus[0],
        'surplus pool_29: the topic has no such asset, the index has "Back"',
        surplus[1],
        surplus[2],
        'surplus pool_stray: the topic has no such asset, the index has "Stray"',
      ]);
      expect(lines.at(-1)).toMatch(/1 missing, 5 surplus, 4 different, 1 ahead, of 29 assets\.$/);
    });

    it('counts what it does not print, keep or check', async () => {
      const result = await indices.verify(library, { maxMisplaced: 2, maxCandidates: 2 });
      expect(verdictOf(result)).toBe('FAILED');
      const lines = report(result, 3);
      expect(lines).toHaveLength(5);
      expect(lines[3]).toBe('… and 2 more, 1 of them only counted');
      expect(lines[4]).toMatch(/[3-5] surplus, .*, and 6 more that may differ, of 29 assets\.$/);
    });
  });
});
