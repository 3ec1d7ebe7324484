import { randomUUID } from 'node:crypto';
import { eventually } from '@carbon/testing';
import { awaitCompleted } from './load/await-completed.js';
import { type PostReport, postOffsets } from './load/post-offsets.js';
import { copyStopped, onPostgres, putBack, rowsOf } from './postgres-copies.js';
import { seenOutcomes } from './seen-outcomes.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const OFFSETS = 1_000;
const RECOVERED_WITHIN_MS = 300_000;

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines({
    ownPostgres: true,
    apps: { catalog: { instances: 0 }, offsets: { instances: 2 } },
  });
}, 240_000);
afterAll(() => app.stop(), 60_000);

/** Posts so many offsets; gives their ids once all are completed. */
async function complete(count: number): Promise<string[]> {
  const posted = await post(count);
  const ids = [...posted.accepted.values()];
  expect(ids).toHaveLength(count);
  const ended = await awaitCompleted(app.client, ids, { inFlight: 8, withinMs: 120_000 });
  expect(ended).toMatchObject({ completed: count, faults: [], others: new Map() });
  await announced();
  return ids;
}

async function post(count: number): Promise<PostReport> {
  const posted = await postOffsets(app.client, {
    ...{ count, inFlight: 32, weight: (n) => n + 0.5, run: randomUUID(), giveUpAfterMs: 60_000, readBackEvery: 50 },
  });
  expect(posted.faults).toEqual([]);
  return posted;
}

/** Resolves when every outcome is marked as announced. */
async function announced(): Promise<void> {
  const waiting = `SELECT id FROM offsets WHERE status IN ('completed', 'failed') AND announced_at IS NULL LIMIT 1`;
  await eventually(async () => expect(await rowsOf(app, waiting)).toEqual([]));
}

/** Resolves when the offsets processes serve, and every one of these offsets has reached an end state again. */
async function recovered(ids: readonly string[]): Promise<void> {
  const ended = await awaitCompleted(app.client, ids, { inFlight: 8, withinMs: RECOVERED_WITHIN_MS });
  expect(ended).toMatchObject({ completed: ids.length, faults: [], others: new Map() });
}

describe('PostgreSQL put back to an older state', () => {
  it('has all 1,000 completed again, with the same retirements, hashes and event ids', async () => {
    const before = await complete(50);
    const copy = await copyStopped(app, 'stopped');
    const ids = [...before, ...(await complete(OFFSETS))];
    const seen = await seenOutcomes(app, ids);
    await putBack(app, copy);
    expect(await onPostgres(app, async (sql) => (await sql.query('SELECT FROM offsets')).rowCount)).toBeLessThan(
      OFFSETS,
    );
    await recovered(ids);
    expect(await seenOutcomes(app, ids)).toEqual(seen);
    await app.audit();
    expect(await app.deadLetters()).toEqual({});
    // What comes after the recovery continues the chains.
    await complete(50);
    await app.audit();
  }, 600_000);
});
