import { asAdmin, eventually } from '@carbon/testing';
import pg from 'pg';
import { StoredRows } from './stored-rows.js';

/** A copy of a database without sessions, like a restored data directory. */
export class RestoredDatabase extends StoredRows {
  private constructor(
    readonly url: string,
    private readonly name: string,
  ) {
    super(new pg.Pool({ connectionString: url, max: 2 }));
    this.sql.on('error', () => {});
  }

  static async copyOf(url: string): Promise<RestoredDatabase> {
    const copied = new URL(url);
    const name = `${nameIn(url)}-older`;
    copied.pathname = `/${name}`;
    await copy(nameIn(url), name);
    return new RestoredDatabase(copied.href, name);
  }

  async close(): Promise<void> {
    await this.sql.end();
    await asAdmin((admin) => admin.query(`DROP DATABASE IF EXISTS "${this.name}" WITH (FORCE)`));
  }
}

/** Copies a database. Ends its sessions first, because PostgreSQL copies no database in use. */
export async function backUp(databaseUrl: string): Promise<void> {
  await copy(nameIn(databaseUrl), `${nameIn(databaseUrl)}-backup`);
}

/** Replaces the database with its copy while clients are connected. */
export async function restore(databaseUrl: string): Promise<void> {
  await asAdmin(async (admin) => {
    const name = nameIn(databaseUrl);
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await admin.query(TERMINATE, [name]);
    await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    await admin.query(`ALTER DATABASE "${name}-backup" RENAME TO "${name}"`);
  });
}

async function copy(name: string, to: string): Promise<void> {
  await asAdmin(async (admin) => {
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await admin.query(TERMINATE, [name]);
    await eventually(() => admin.query(`CREATE DATABASE "${to}" TEMPLATE "${name}"`));
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  });
}

/** Waits until the sessions have ended. */
const TERMINATE = 'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1';

function nameIn(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}
