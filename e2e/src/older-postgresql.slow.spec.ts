import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateView, type OffsetView, offsetView } from '@carbon/contracts';
import {
  PostgresStandby,
  type RunningEngines,
  startEngines,
  startTcpProxy,
  type TcpProxy,
  type TemporaryDir,
  temporaryDir,
} from '@carbon/local';
import { eventually } from '@carbon/testing';
import { awaitCompleted } from './load/await-completed.js';
import { type PostOptions, postOffsets } from './load/post-offsets.js';
import { seenOutcomes } from './testing/outcomes.js';
import { awaitPublished, copyRunning, onPostgres, putBack, rowsOf } from './testing/postgres-copies.js';
import { systemOnSharedEngines, type TestSystem } from './testing/system.js';

const PROCESSES = ['offsets', 'offsets-2'];
const APPS = { catalog: { instances: 0 }, offsets: { instances: 2 } };
const RECOVERED_TIMEOUT_MS = 300_000;

let app: TestSystem;

/** Creates this many offsets and waits until they are completed; returns their ids once every outcome is published. */
async function complete(count: number, more: Partial<PostOptions> = {}): Promise<string[]> {
  const posted = await postOffsets(app.client, {
    ...{ count, inFlight: 32, weight: (n: number) => n + 0.5, run: randomUUID(), giveUpAfterMs: 60_000 },
    ...{ readBackEvery: 50, ...more },
  });
  expect(posted.errors).toEqual([]);
  const ids = [...posted.accepted.values()];
  await completed(ids);
  await awaitPublished(app);
  return ids;
}

async function completed(ids: readonly string[]): Promise<void> {
  const ended = await awaitCompleted(app.client, ids, { inFlight: 8, timeoutMs: RECOVERED_TIMEOUT_MS });
  expect(ended).toMatchObject({ completed: ids.length, errors: [], others: new Map() });
}

async function ended(body: { kgCO2e: number; estimateId?: string }): Promise<OffsetView> {
  const { id } = await app.carbon.offsets.create(body);
  return offsetView.parse(await app.carbon.offsets.waitFor(id));
}

/** Publishes an asset again with fewer credits than were retired from it. */
async function lower(asset: string): Promise<void> {
  const known = JSON.parse((await app.command('assets', 'show', asset)).stdout) as object;
  const file = join(app.system.dir, 'lowered.ndjson');
  writeFileSync(file, `${JSON.stringify({ ...known, issued: 0.001 })}\n`);
  await app.command('assets', 'publish', file);
}

/** Returns the assets from which most was retired. */
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

describe('a backup that is taken under load and restored while two processes run', () => {
  beforeAll(async () => {
    app = await systemOnSharedEngines({ ownPostgres: true, apps: APPS });
  }, 240_000);
  afterAll(() => app.stop(), 180_000);

  it('has every published outcome again, although the recovery is killed and the library has changed', async () => {
    let copying: ReturnType<typeof copyRunning> | undefined;
    const ids = await complete(600, {
      ...{ perSecond: 100, weight: (n) => 1_000 * n + 0.5 },
      onProgress: (accepted) => {
        if (accepted >= 200) copying ??= copyRunning(app, 'loaded');
      },
    });
    const copy = await copying;
    if (copy === undefined) throw new Error('No copy was taken.');

    const [used, unused] = await Promise.all(
      [2_500, 3_500].map(async (kgCO2e) => estimateView.parse(await app.carbon.estimates.create({ kgCO2e }))),
    );
    const priced = await ended({ kgCO2e: 2_500, estimateId: used?.id ?? '' });
    expect(priced).toMatchObject({ status: 'completed' });
    const [withdrawn = '', lowered = withdrawn] = await retiredAssets();
    await app.command('assets', 'withdraw', withdrawn);
    if (lowered !== withdrawn) await lower(lowered);
    ids.push(priced.id, (await ended({ kgCO2e: 4_500 })).id, (await ended({ kgCO2e: 1e12 })).id);
    await awaitPublished(app);
    const seen = await seenOutcomes(app, ids);

    await putBack(app, copy);
    await killWhile('SELECT FROM database_state WHERE recovering');
    // What the recovery has read stays there until it can be written to `offsets`.
    await onPostgres(app, async (sql) => {
      await sql.query('BEGIN; LOCK TABLE offsets IN SHARE MODE');
      await killWhile('SELECT FROM recovered_outcomes LIMIT 1');
      await sql.query('ROLLBACK');
    });
    await awaitCompleted(app.client, ids, { inFlight: 8, timeoutMs: RECOVERED_TIMEOUT_MS });
    expect(await seenOutcomes(app, ids)).toEqual(seen);
    await app.audit();
    expect(await app.deadLetters()).toEqual({});

    const late = await ended({ kgCO2e: 3_500, estimateId: unused?.id ?? '' });
    expect(late).toMatchObject({ status: 'failed', failure: { code: 'estimate_not_found' } });
    // Offsets after the recovery continue the chains.
    await complete(50);
    await app.audit();
  }, 900_000);
});

describe('an asynchronous standby that is promoted while the apps run', () => {
  let folder: TemporaryDir;
  let engines: RunningEngines;
  let primaryProxy: TcpProxy;
  let replication: TcpProxy;
  let standby: PostgresStandby;

  beforeAll(async () => {
    folder = await temporaryDir();
    engines = await startEngines({ dir: folder.dir, which: ['postgres'] });
    const primary = new URL(engines.addresses.databaseUrl ?? '');
    primaryProxy = await startTcpProxy({ targets: [Number(primary.port)] });
    replication = await startTcpProxy({ targets: [Number(primary.port)] });
    standby = await PostgresStandby.of({ primaryUrl: primary.href, primaryPort: replication.port, dir: folder.dir });
    const databaseUrl = new URL(primary);
    databaseUrl.port = String(primaryProxy.port);
    app = await systemOnSharedEngines({ databaseUrl: databaseUrl.href, apps: APPS });
  }, 240_000);

  afterAll(async () => {
    // An app that did not start need not be stopped.
    await app?.stop();
    await Promise.all([primaryProxy?.close(), replication?.close()]);
    await standby?.stop();
    await engines?.stop();
    folder.remove();
  }, 180_000);

  it('has every published outcome again that it had not received', async () => {
    const before = await complete(100);
    const [place] = await rowsOf<{ lsn: string }>(app, 'SELECT pg_current_wal_lsn()::text AS lsn');
    await standby.awaitCaughtUp(place?.lsn ?? '');
    replication.refuse();
    const after = await complete(300);
    const seen = await seenOutcomes(app, [...before, ...after]);

    await engines.part('postgres').stop();
    await standby.promote();
    primaryProxy.targets = [standby.port];
    primaryProxy.cut();
    await completed(after);
    expect(await seenOutcomes(app, [...before, ...after])).toEqual(seen);
    await complete(50);
    await app.audit();
    expect(await app.deadLetters()).toEqual({});
  }, 600_000);
});
