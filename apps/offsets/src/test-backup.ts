import { testEngines } from '@carbon/testing';
import pg from 'pg';

const COPY = '-backup';

/** Copies a database as it is; whatever is connected is cut off, for a copy bears no other sessions. */
export async function backUp(databaseUrl: string): Promise<void> {
  await asAdmin(async (admin) => {
    const name = nameIn(databaseUrl);
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await cutOff(admin, name);
    await admin.query(`CREATE DATABASE "${name}${COPY}" TEMPLATE "${name}"`);
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  });
}

/** Puts the copy in the place of the database, under whatever is connected. */
export async function putBack(databaseUrl: string): Promise<void> {
  await asAdmin(async (admin) => {
    const name = nameIn(databaseUrl);
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await cutOff(admin, name);
    await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    await admin.query(`ALTER DATABASE "${name}${COPY}" RENAME TO "${name}"`);
  });
}

/** A session that is told to end is gone a moment later. */
async function cutOff(admin: pg.Client, name: string): Promise<void> {
  await admin.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [name]);
}

async function asAdmin(work: (admin: pg.Client) => Promise<void>): Promise<void> {
  const admin = new pg.Client({ connectionString: testEngines().databaseUrl, connectionTimeoutMillis: 60_000 });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function nameIn(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}
