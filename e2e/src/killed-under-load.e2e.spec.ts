import { randomUUID } from 'node:crypto';
import { awaitCompleted } from './load/await-completed.js';
import type { Answer } from './load/client.js';
import { postOffsets } from './load/post-offsets.js';
import { systemWithOwnEngines, type TestSystem } from './system.js';

let app: TestSystem;
beforeAll(async () => {
  app = await systemWithOwnEngines();
}, 240_000);
afterAll(() => app.stop(), 60_000);

/** How far the load has come when the part dies. */
const KILL_AFTER = 300;
const PARTS = ['gateway', 'offsets', 'catalog', 'postgres', 'opensearch', 'kafka'];
const OFFSETS = 800;

describe('a part killed with -9 under load', () => {
  it.each(PARTS)(
    'loses, doubles and denies nothing: %s',
    async (part) => {
      const target = app.system.part(part);
      const exits = target.exits;
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
      expect(target.exits).toBe(exits + 1);
      const ended = await awaitCompleted(app.client, posted.accepted.values(), { inFlight: 8, withinMs: 60_000 });
      expect(ended).toMatchObject({ completed: OFFSETS, faults: [] });
      expect(ended.others).toEqual(new Map());

      await expect(app.audit()).resolves.toBeUndefined();
      expect(await app.deadLetters()).toEqual({});
    },
    180_000,
  );

  it('leaves exactly one offset for every key that was ever used', async () => {
    const keys: string[] = [];
    for (let path: string | undefined = '/v1/offsets?limit=100'; path !== undefined; ) {
      const answer: Answer = await app.client.get(path);
      if (answer.kind !== 'answer' || answer.status !== 200) throw new Error(JSON.stringify(answer));
      keys.push(...(answer.body as { customerRef: string }[]).map(({ customerRef }) => customerRef));
      path = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? ''))?.[1];
    }
    expect(keys).toHaveLength(PARTS.length * OFFSETS);
    expect(new Set(keys).size).toBe(keys.length);
  }, 60_000);
});
