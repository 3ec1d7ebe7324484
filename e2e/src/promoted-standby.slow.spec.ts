import { randomUUID } from 'node:crypto';
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
import { postOffsets } from './load/post-offsets.js';
import { rowsOf } from './postgres-copies.js';
import { seenOutcomes } from './seen-outcomes.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const RECOVERED_WITHIN_MS = 300_000;

let folder: TemporaryDir;
let engines: RunningEngines;
let wayToPrimary: TcpProxy;
let replication: TcpProxy;
let standby: PostgresStandby;
let app: TestSystem;

beforeAll(async () => {
  folder = await temporaryDir();
  engines = await startEngines({ dir: folder.dir, which: ['postgres'] });
  const primary = new URL(engines.addresses.databaseUrl ?? '');
  wayToPrimary = await startTcpProxy({ targets: [Number(primary.port)] });
  replication = await startTcpProxy({ targets: [Number(primary.port)] });
  standby = await PostgresStandby.of({ primaryUrl: primary.href, primaryPort: replication.port, dir: folder.dir });
  const databaseUrl = new URL(primary);
  databaseUrl.port = String(wayToPrimary.port);
  const apps = { catalog: { instances: 0 }, offsets: { instances: 2 } };
  app = await systemOnSharedEngines({ databaseUrl: databaseUrl.href, apps });
}, 240_000);

afterAll(async () => {
  // What did not come up need not be stopped.
  await app?.stop();
  await Promise.all([wayToPrimary?.close(), replication?.close()]);
  await standby?.stop();
  await engines?.stop();
  folder.remove();
}, 60_000);

/** Has so many offsets completed and announced; gives their ids. */
async function complete(count: number): Promise<string[]> {
  const posted = await postOffsets(app.client, {
    ...{ count, inFlight: 32, weight: (n: number) => n + 0.5, run: randomUUID(), giveUpAfterMs: 60_000 },
    readBackEvery: 50,
  });
  const ids = [...posted.accepted.values()];
  await completed(ids);
  const waiting = 'SELECT id FROM offsets WHERE announced_at IS NULL LIMIT 1';
  await eventually(async () => expect(await rowsOf(app, waiting)).toEqual([]));
  return ids;
}

async function completed(ids: readonly string[]): Promise<void> {
  const ended = await awaitCompleted(app.client, ids, { inFlight: 8, withinMs: RECOVERED_WITHIN_MS });
  expect(ended).toMatchObject({ completed: ids.length, faults: [], others: new Map() });
}

describe('an asynchronous standby that is promoted while the apps run', () => {
  it('has every announced outcome back that it had not received', async () => {
    const before = await complete(100);
    const [place] = await rowsOf<{ lsn: string }>(app, 'SELECT pg_current_wal_lsn()::text AS lsn');
    await standby.caughtUp(place?.lsn ?? '');
    replication.refuse();
    const after = await complete(300);
    const seen = await seenOutcomes(app, [...before, ...after]);

    await engines.part('postgres').stop();
    await standby.promote();
    wayToPrimary.targets = [standby.port];
    wayToPrimary.cut();
    await completed(after);
    expect(await seenOutcomes(app, [...before, ...after])).toEqual(seen);
    await complete(50);
    await app.audit();
    expect(await app.deadLetters()).toEqual({});
  }, 600_000);
});
