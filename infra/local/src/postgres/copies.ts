import { execFile } from 'node:child_process';
import { chownSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { SupervisedPart } from '../supervise/supervised-part.js';
import { withPostgres } from './with-postgres.js';

const run = promisify(execFile);

/** A copy of the data directory of a local PostgreSQL server. */
export interface PostgresCopy {
  readonly folder: string;
  /** The data directory of the server. */
  readonly data: string;
}

/**
 * Stops a server, copies its data directory to one next to it, and starts it again. Replaces an earlier copy of that name.
 */
export async function copyStoppedPostgres(url: string, server: SupervisedPart, name: string): Promise<PostgresCopy> {
  const data = await withPostgres(url, dataDirOf);
  await server.stop();
  try {
    return { folder: await copyOf(data, name), data };
  } finally {
    await server.start();
  }
}

/**
 * Copies a server's data directory to one next to it while the server runs, as a base backup does
 * (https://www.postgresql.org/docs/18/continuous-archiving.html). Replaces an earlier copy of that name.
 */
export function copyRunningPostgres(url: string, name: string): Promise<PostgresCopy> {
  return withPostgres(url, async (sql) => {
    const data = await dataDirOf(sql);
    await sql.query(`SELECT pg_backup_start('${name}', true)`);
    const folder = await copyOf(data, name);
    const { rows } = await sql.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    // The WAL segments written since pg_backup_start contain the changes made during the copy.
    await run('cp', ['-a', `${join(data, 'pg_wal')}/.`, join(folder, 'pg_wal')]);
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(folder, file), { force: true });
    addFile({ folder, data }, 'backup_label', rows[0]?.labelfile ?? '');
    return { folder, data };
  });
}

/** Replaces the server's data with a copy while the server is stopped; the previous data is lost. */
export async function restorePostgres(server: SupervisedPart, { folder, data }: PostgresCopy): Promise<void> {
  await server.stop();
  rmSync(data, { recursive: true });
  renameSync(folder, data);
  await server.start();
}

/** Adds a file to a copy, owned by the server's user, because the server renames and removes such files. */
export function addFile({ folder, data }: PostgresCopy, name: string, text: string): void {
  const { uid, gid } = statSync(data);
  writeFileSync(join(folder, name), text);
  chownSync(join(folder, name), uid, gid);
}

/**
 * A temporary file that disappears during the copy is not an error: cp names it and exits with 1, and replaying the WAL restores
 * what the copy lacks.
 */
async function copyOf(data: string, name: string): Promise<string> {
  const folder = `${data}.${name}`;
  rmSync(folder, { recursive: true, force: true });
  await run('env', ['LC_ALL=C', 'cp', '-a', data, folder]).catch((error: { stderr?: string }) => {
    const lines = error.stderr?.trim().split('\n') ?? [''];
    if (!lines.every((line) => line.endsWith('No such file or directory'))) throw error;
  });
  return folder;
}

async function dataDirOf(sql: pg.Client): Promise<string> {
  const { rows } = await sql.query<{ data_directory: string }>('SHOW data_directory');
  if (rows[0] === undefined) throw new Error('PostgreSQL did not return its data directory.');
  return rows[0].data_directory;
}
