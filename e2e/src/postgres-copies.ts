import { execFile } from 'node:child_process';
import { chownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestSystem } from './system.js';

const run = promisify(execFile);

/** A copy of a PostgreSQL data folder. */
export interface PostgresCopy {
  readonly folder: string;
  /** Where the server expects its data. */
  readonly data: string;
}

/** Runs statements on one connection to the system's own PostgreSQL. */
export function onPostgres<T>(app: TestSystem, work: (sql: pg.Client) => Promise<T>): Promise<T> {
  return onServer(app.system.urls.databaseUrl, work);
}

/** The rows of one statement. */
export async function rowsOf<Row extends pg.QueryResultRow>(app: TestSystem, sql: string): Promise<Row[]> {
  return onPostgres(app, async (client) => (await client.query<Row>(sql)).rows);
}

/** Stops the server, copies its folder and starts it again. */
export async function copyStopped(app: TestSystem, name: string): Promise<PostgresCopy> {
  const data = await dataFolder(app);
  const postgres = app.system.part('postgres');
  await postgres.stop();
  const folder = await copyOf(data, name);
  await postgres.start();
  return { folder, data };
}

/** Copies the folder of the system's own server while it works. */
export function copyRunning(app: TestSystem, name: string): Promise<PostgresCopy> {
  return copyRunningServer(app.system.urls.databaseUrl, name);
}

/** Copies a server's folder while it works, as a base backup does (https://www.postgresql.org/docs/18/continuous-archiving.html). */
export function copyRunningServer(url: string, name: string): Promise<PostgresCopy> {
  return onServer(url, async (sql) => {
    const data = await folderOf(sql);
    await sql.query(`SELECT pg_backup_start('${name}', true)`);
    const folder = await copyOf(data, name);
    const { rows } = await sql.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    // What was written while the copy was made lies in the segments that follow its beginning.
    await run('cp', ['-a', `${join(data, 'pg_wal')}/.`, join(folder, 'pg_wal')]);
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(folder, file), { force: true });
    addFile({ folder, data }, 'backup_label', rows[0]?.labelfile ?? '');
    return { folder, data };
  });
}

/** Puts a copy in the place of the server's data while the server is stopped; what was there is lost. */
export async function putBack(app: TestSystem, { folder, data }: PostgresCopy): Promise<void> {
  const postgres = app.system.part('postgres');
  await postgres.stop();
  rmSync(data, { recursive: true });
  renameSync(folder, data);
  await postgres.start();
}

/** The folder that the running server works in. */
export function dataFolder(app: TestSystem): Promise<string> {
  return onPostgres(app, folderOf);
}

/** The pid of the postmaster that works in a data folder. */
export function postmasterOf(data: string): number {
  return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

/** Adds a file to a copy, as the server's user: it renames and removes such files. */
export function addFile({ folder, data }: PostgresCopy, name: string, text: string): void {
  const { uid, gid } = statSync(data);
  writeFileSync(join(folder, name), text);
  chownSync(join(folder, name), uid, gid);
}

/** A file that goes while it is copied (temporary ones do) is no fault: cp ends with 1, and the server's log has the rest. */
async function copyOf(data: string, name: string): Promise<string> {
  const folder = `${data}.${name}`;
  await run('cp', ['-a', data, folder]).catch((error: { code?: number }) => {
    if (error.code !== 1) throw error;
  });
  return folder;
}

async function folderOf(sql: pg.Client): Promise<string> {
  const { rows } = await sql.query<{ data_directory: string }>('SHOW data_directory');
  if (rows[0] === undefined) throw new Error('PostgreSQL does not say where its data is.');
  return rows[0].data_directory;
}

async function onServer<T>(url: string, work: (sql: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
