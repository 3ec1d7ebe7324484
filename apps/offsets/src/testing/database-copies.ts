import { asAdmin, eventually } from '@carbon/testing';
import pg from 'pg';
import { StoredRows } from './stored-rows.js';

/** An older copy of a database under another name, like a restored backup. No service is connected to it. */
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

/** Copies a database. Terminates its sessions first, because PostgreSQL cannot copy a database in use. */
export async function backUp(databaseUrl: string): Promise<void> {
  await copy(nameIn(databaseUrl), `${nameIn(databaseUrl)}-backup`);
}

/** Terminates the sessions of a database and replaces it with the copy that `backUp` made, while its clients run. */
export async function restore(databaseUrl: string): Promise<void> {
  await asAdmin(async (admin) => {
    const name = nameIn(databaseUrl);
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await admin.query(TERMINATE_SESSIONS, [name]);
    await admin.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    await admin.query(`ALTER DATABASE "${name}-backup" RENAME TO "${name}"`);
  });
}

async function copy(name: string, to: string): Promise<void> {
  await asAdmin(async (admin) => {
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await admin.query(TERMINATE_SESSIONS, [name]);
    await eventually(() => admin.query(`CREATE DATABASE "${to}" TEMPLATE "${name}"`));
    await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  });
}

/** Waits up to 10 s for the end of each session. */
const TERMINATE_SESSIONS = 'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1';

function nameIn(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}
