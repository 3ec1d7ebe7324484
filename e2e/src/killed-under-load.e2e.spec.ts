import { randomUUID } from 'node:crypto';
import { awaitCompleted } from './load/await-completed.js';
import { postOffsets } from './load/post-offsets.js';
import { systemWithOwnEngines, type TestSystem } from './system.js';

let app: TestSystem;
beforeAll(async () => {
  app = await systemWithOwnEngines();
}, 240_000);
afterAll(() => app.stop(), 60_000);

/** How far the load has come when the part dies. */
const KILL_AFTER = 300;
const OFFSETS = 1_200;

describe('a part killed with -9 under load', () => {
  it.each(['gateway', 'offsets', 'catalog', 'postgres', 'opensearch', 'kafka'])(
    'loses, doubles and denies nothing: %s',
    async (part) => {
      const target = app.system.part(part);
      let killed: Promise<void> | undefined;
      const posted = await postOffsets(app.client, {
        count: OFFSETS,
        inFlight: 32,
        weight: (n) => n + 0.5,
        run: `${part}-${randomUUID()}`,
        giveUpAfterMs: 60_000,
        readBackEvery: 5,
        onProgress: (accepted) => {
          if (accepted >= KILL_AFTER) killed ??= target.kill('SIGKILL');
        },
      });
      expect(posted.faults).toEqual([]);
      expect(new Set(posted.accepted.values()).size).toBe(OFFSETS);

      await killed;
      await target.ready();
      const ended = await awaitCompleted(app.client, posted.accepted.values(), { inFlight: 32, withinMs: 60_000 });
      expect(ended).toMatchObject({ completed: OFFSETS, faults: [] });
      expect(ended.others).toEqual(new Map());

      await expect(app.command('apps/offsets/dist/cli/ledger.js', 'audit')).resolves.toBeDefined();
      expect(await app.deadLetters()).toEqual({});
    },
    180_000,
  );

  it('leaves exactly one offset for every key', async () => {
    const { stdout } = await app.command('apps/offsets/dist/cli/ledger.js', 'audit');
    expect(stdout).toMatch(/holds/);
  });
});
