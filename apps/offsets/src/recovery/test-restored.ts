import { eventually, testEngines } from '@carbon/testing';
import pg from 'pg';
import { audit } from '../ledger-cli/audit.js';
import { inSnapshot } from '../ledger-cli/snapshot.js';
import { verify } from '../ledger-cli/verify.js';

/** A copy of a database that nobody uses at the moment: what a restore of a copied data folder gives. */
export class RestoredDatabase {
  readonly sql: pg.Pool;

  private constructor(
    readonly url: string,
    private readonly original: string,
    private readonly name: string,
  ) {
    this.sql = new pg.Pool({ connectionString: url, max: 2 });
    this.sql.on('error', () => {});
  }

  static async copyOf(url: string): Promise<RestoredDatabase> {
    const copied = new URL(url);
    const original = copied.pathname.slice(1);
    const name = `${original}-older`;
    copied.pathname = `/${name}`;
    await asAdmin(async (admin) => {
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [original]);
      await eventually(() => admin.query(`CREATE DATABASE "${name}" TEMPLATE "${original}"`));
    });
    return new RestoredDatabase(copied.href, original, name);
  }

  /** Whoever is connected to the original comes to the copy, as to a standby that is promoted; the server stays the same. */
  async takePlace(): Promise<void> {
    await this.sql.end();
    const { name, original } = this;
    await asAdmin(async (admin) => {
      await admin.query(`ALTER DATABASE "${original}" WITH ALLOW_CONNECTIONS false`);
      await eventually(async () => {
        await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY ($1)', [
          [original, name],
        ]);
        await admin.query(`ALTER DATABASE "${original}" RENAME TO "${original}-newer"`);
      });
      await eventually(() => admin.query(`ALTER DATABASE "${name}" RENAME TO "${original}"`));
    });
  }

  async rows<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.sql.query<Row>(sql, parameters)).rows;
  }

  async close(): Promise<void> {
    if (!this.sql.ended) await this.sql.end();
    for (const name of [this.name, `${this.original}-newer`])
      await asAdmin((admin) => admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
  }
}

/** What a database holds of outcomes, as it was announced. */
export async function factsOf(sql: pg.Pool): Promise<Record<string, unknown[]>> {
  const rows = async (statement: string) => (await sql.query<Record<string, unknown>>(statement)).rows;
  return {
    offsets:
      await rows(`SELECT id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, traceparent,
      cost_micros, failure_code, failure_detail, created_at, completed_at, failed_at, announced_at IS NOT NULL AS announced
      FROM offsets ORDER BY id`),
    ledger: await rows('SELECT * FROM ledger ORDER BY asset_id, sequence'),
    outbox: await rows(`SELECT event_id, offset_id, type, payload::text, traceparent, published_at IS NULL AS unsent
      FROM outbox ORDER BY event_id`),
    supply: await rows('SELECT asset_id, retired, reserved FROM supply ORDER BY asset_id'),
  };
}

/** Holds a database against every rule, its hash chains included. */
export async function expectSound(url: string): Promise<void> {
  const { faults } = await inSnapshot(url, audit);
  expect(faults).toEqual([]);
  const broken: string[] = [];
  await inSnapshot(url, (ask) => verify(ask, (fault) => broken.push(fault)));
  expect(broken).toEqual([]);
}

async function asAdmin(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: testEngines().databaseUrl, connectionTimeoutMillis: 60_000 });
  admin.on('error', () => {});
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
