import {
  copyRunningPostgres,
  copyStoppedPostgres,
  type PostgresCopy,
  restorePostgres,
  withPostgres,
} from '@carbon/local';
import { type EventuallyOptions, eventually } from '@carbon/testing';
import type pg from 'pg';
import type { TestSystem } from './system.js';

/** Runs statements on one connection to the system's PostgreSQL. */
export function onPostgres<T>(app: TestSystem, work: (sql: pg.Client) => Promise<T>): Promise<T> {
  return withPostgres(app.system.urls.databaseUrl, work);
}

/** Returns the rows of one statement. */
export async function rowsOf<Row extends pg.QueryResultRow>(app: TestSystem, sql: string): Promise<Row[]> {
  return onPostgres(app, async (client) => (await client.query<Row>(sql)).rows);
}

/** Waits until every outcome is published: an older database would decide the others again. */
export function awaitPublished(app: TestSystem, options?: EventuallyOptions): Promise<void> {
  return eventually(async () => {
    const [waiting] = await rowsOf<{ id: string }>(app, 'SELECT id FROM offsets WHERE announced_at IS NULL LIMIT 1');
    if (waiting !== undefined) throw new Error(`the outcome of ${waiting.id} is not published`);
  }, options);
}

/** Stops the system's own server, copies its folder and starts it again. */
export function copyStopped({ system }: TestSystem, name: string): Promise<PostgresCopy> {
  return copyStoppedPostgres(system.urls.databaseUrl, system.part('postgres'), name);
}

/** Copies the folder of the system's own server while it runs. */
export function copyRunning({ system }: TestSystem, name: string): Promise<PostgresCopy> {
  return copyRunningPostgres(system.urls.databaseUrl, name);
}

/** Replaces the data of the system's own server with a copy; the previous data is lost. */
export function putBack({ system }: TestSystem, copy: PostgresCopy): Promise<void> {
  return restorePostgres(system.part('postgres'), copy);
}
