import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateView, type OffsetView, offsetView } from '@carbon/contracts';
import { eventually } from '@carbon/testing';
import { awaitCompleted } from './load/await-completed.js';
import { postOffsets } from './load/post-offsets.js';
import { copyRunning, putBack, rowsOf } from './postgres-copies.js';
import { seenOutcomes } from './seen-outcomes.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const LIBRARY = 'tools/assets/dist/cli.js';
const OFFSETS = 600;
const COPY_AFTER = 200;
const PROCESSES = ['offsets', 'offsets-2'];
const RECOVERED_WITHIN_MS = 300_000;

let app: TestSystem;
beforeAll(async () => {
  const apps = { catalog: { instances: 0 }, offsets: { instances: 2 } };
  app = await systemOnSharedEngines({ ownPostgres: true, apps });
}, 240_000);
afterAll(() => app.stop(), 60_000);

const settled = () =>
  eventually(async () => {
    const open = `SELECT id FROM offsets WHERE announced_at IS NULL LIMIT 1`;
    expect(await rowsOf(app, open)).toEqual([]);
  });

async function ended(body: { kgCO2e: number; estimateId?: string }): Promise<OffsetView> {
  const { id } = await app.carbon.offsets.create(body);
  return offsetView.parse(await app.carbon.offsets.waitFor(id));
}

/** Publishes an asset anew with fewer credits than were retired from it. */
async function lower(asset: string): Promise<void> {
  const known = JSON.parse((await app.command(LIBRARY, 'show', asset)).stdout) as object;
  const file = join(app.system.dir, 'lowered.ndjson');
  writeFileSync(file, `${JSON.stringify({ ...known, issued: 0.001 })}\n`);
  await app.command(LIBRARY, 'publish', file);
}

/** The assets that most was retired from. */
async function retiredAssets(): Promise<string[]> {
  const rows = await rowsOf<{ asset_id: string }>(
    app,
    'SELECT asset_id FROM supply WHERE retired > 0 ORDER BY retired DESC',
  );
  return rows.map(({ asset_id }) => asset_id);
}

/** Kills both processes as soon as the database is in a state of its recovery. */
async function killWhile(state: string): Promise<void> {
  await eventually(async () => expect(await rowsOf(app, state)).toHaveLength(1), { within: 120_000, every: 5 });
  await Promise.all(PROCESSES.map((name) => app.system.part(name).kill('SIGKILL')));
}

describe('a backup that is taken under load and put back while two processes run', () => {
  it('has every announced outcome back, though the recovery is killed and the library has changed', async () => {
    let copying: ReturnType<typeof copyRunning> | undefined;
    const posted = await postOffsets(app.client, {
      ...{ count: OFFSETS, inFlight: 32, perSecond: 100, weight: (n: number) => 1_000 * n + 0.5, run: randomUUID() },
      ...{ giveUpAfterMs: 60_000, readBackEvery: 50 },
      onProgress: (accepted) => {
        if (accepted >= COPY_AFTER) copying ??= copyRunning(app, 'loaded');
      },
    });
    const copy = await copying;
    if (copy === undefined) throw new Error('No copy was taken.');
    expect(posted.faults).toEqual([]);
    const ids = [...posted.accepted.values()];
    await awaitCompleted(app.client, ids, { inFlight: 8, withinMs: 120_000 });

    const [used, unused] = [2_500, 3_500].map(async (kgCO2e) =>
      estimateView.parse(await app.carbon.estimates.create({ kgCO2e })),
    );
    const priced = await ended({ kgCO2e: 2_500, estimateId: (await used)?.id ?? '' });
    expect(priced).toMatchObject({ status: 'completed' });
    const [withdrawn = '', lowered = withdrawn] = await retiredAssets();
    await app.command(LIBRARY, 'withdraw', withdrawn);
    if (lowered !== withdrawn) await lower(lowered);
    ids.push(priced.id, (await ended({ kgCO2e: 4_500 })).id, (await ended({ kgCO2e: 1e12 })).id);
    await settled();
    const seen = await seenOutcomes(app, ids);

    await putBack(app, copy);
    await killWhile('SELECT FROM database_state WHERE recovering');
    await killWhile('SELECT FROM recovered_outcomes LIMIT 1');
    await awaitCompleted(app.client, ids, { inFlight: 8, withinMs: RECOVERED_WITHIN_MS });
    expect(await seenOutcomes(app, ids)).toEqual(seen);
    await app.audit();
    expect(await app.deadLetters()).toEqual({});

    const late = await ended({ kgCO2e: 3_500, estimateId: (await unused)?.id ?? '' });
    expect(late).toMatchObject({ status: 'failed', failure: { code: 'estimate_not_found' } });
    expect(await ended({ kgCO2e: 5_500 })).toMatchObject({ status: 'completed' });
    await app.audit();
  }, 900_000);
});
