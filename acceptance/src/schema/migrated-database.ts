import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { DATABASE_URL, ENVIRONMENT, TEST_RUN } from '../environment.js';

/** What an operator runs (docs/runbook.md). */
const MIGRATE = ['apps/offsets/dist/persistence/migrate.js'];
const run = promisify(execFile);

/** Makes a database, migrates it as an operator would, and drops it after `use`. @param root the checkout */
export async function withMigratedDatabase<T>(root: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  if (DATABASE_URL === undefined) throw new Error('DATABASE_URL must name a PostgreSQL.');
  const name = `test-${TEST_RUN}-${randomUUID()}`;
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  return await withClient(DATABASE_URL, async (admin) => {
    await admin.query(`CREATE DATABASE "${name}"`);
    try {
      await run(execPath, MIGRATE, { cwd: root, env: { ...ENVIRONMENT, DATABASE_URL: url.href } });
      return await withClient(url.href, use);
    } finally {
      await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    }
  });
}

async function withClient<T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return await use(client).finally(() => client.end());
}
