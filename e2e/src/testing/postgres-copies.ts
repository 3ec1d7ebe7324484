import {
  copyRunningPostgres,
  copyStoppedPostgres,
  type PostgresCopy,
  postgresDataDir,
  putBackPostgres,
  withPostgres,
} from '@carbon/local';
import type pg from 'pg';
import type { TestSystem } from './system.js';

/** Runs statements on one connection to the system's PostgreSQL. */
export function onPostgres<T>(app: TestSystem, work: (sql: pg.Client) => Promise<T>): Promise<T> {
  return withPostgres(app.system.urls.databaseUrl, work);
}

/** The rows of one statement. */
export async function rowsOf<Row extends pg.QueryResultRow>(app: TestSystem, sql: string): Promise<Row[]> {
  return onPostgres(app, async (client) => (await client.query<Row>(sql)).rows);
}

/** Stops the system's own server, copies its folder and starts it again. */
export function copyStopped({ system }: TestSystem, name: string): Promise<PostgresCopy> {
  return copyStoppedPostgres(system.urls.databaseUrl, system.part('postgres'), name);
}

/** Copies the folder of the system's own server while it works. */
export function copyRunning({ system }: TestSystem, name: string): Promise<PostgresCopy> {
  return copyRunningPostgres(system.urls.databaseUrl, name);
}

/** Puts a copy in the place of the data of the system's own server; what was there is lost. */
export function putBack({ system }: TestSystem, copy: PostgresCopy): Promise<void> {
  return putBackPostgres(system.part('postgres'), copy);
}

/** The folder that the system's server works in. */
export function dataFolder({ system }: TestSystem): Promise<string> {
  return postgresDataDir(system.urls.databaseUrl);
}
