import { createHash } from 'node:crypto';
import { withPostgres } from '@carbon/local';
import type pg from 'pg';
import { freshPrefix, runPrefix, testEngines, testSettings } from './test-engines.js';

/** A database of one test file. */
export interface FreshDatabase {
  readonly url: string;
  readonly name: string;
  /** Ends all sessions and drops the database. The end of the run drops the others. */
  drop(): Promise<void>;
}

/** Migrates an empty database to the current schema. */
export interface Template {
  /** Files with the same name share one template in a run. */
  readonly name: string;
  migrate(databaseUrl: string): Promise<void>;
}

/** Creates an empty database, or a copy of the template, which is migrated once in a run. */
export async function freshDatabase(template?: Template): Promise<FreshDatabase> {
  const name = freshPrefix().slice(0, -1);
  const source = template === undefined ? 'template0' : await templateDatabase(template);
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${quoteIdentifier(name)} TEMPLATE ${quoteIdentifier(source)}`));
  return {
    name,
    url: urlOf(name),
    drop: () =>
      asAdmin((admin) => admin.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(name)} WITH (FORCE)`)).then(() => {}),
  };
}

/** Drops every database with a prefix. */
export async function dropDatabases(prefix: string): Promise<void> {
  await asAdmin(async (admin) => {
    const found = await admin.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of found.rows)
      await admin.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(datname)} WITH (FORCE)`);
  });
}

/** The first worker creates the template; the others wait for its lock. */
async function templateDatabase(template: Template): Promise<string> {
  const name = `${runPrefix(testSettings().TEST_RUN ?? 'alone')}template-${template.name}`;
  const lock = createHash('sha256').update(name).digest().readInt32BE(0);
  await asAdmin(async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [lock]);
    const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount !== 0) return;
    const making = `${name}-making`;
    await admin.query(`DROP DATABASE IF EXISTS ${quoteIdentifier(making)} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${quoteIdentifier(making)} TEMPLATE template0`);
    await template.migrate(urlOf(making));
    // A rename or a copy requires that there are no sessions, and the migration's may still be closing.
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [making]);
    await admin.query(`ALTER DATABASE ${quoteIdentifier(making)} RENAME TO ${quoteIdentifier(name)}`);
  });
  return name;
}

/** Runs statements as the owner of all databases. */
export function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  return withPostgres(testEngines().databaseUrl, work, { connectionTimeoutMillis: 60_000 });
}

function urlOf(name: string): string {
  const url = new URL(testEngines().databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
