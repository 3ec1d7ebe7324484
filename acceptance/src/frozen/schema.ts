import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { ROOT } from '../checkout.js';
import { DATABASE_URL, ENVIRONMENT, TEST_RUN } from '../environment.js';

/** The parts of a schema as PostgreSQL prints them, by kind, then by name. */
export type Schema = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const OURS = `NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`;

/** Each query returns rows of a name and a value. */
const QUERIES: Readonly<Record<string, string>> = {
  relations: `
    SELECT relname AS name, json_build_object('kind', relkind, 'persistence', relpersistence, 'options', reloptions,
      'partitionKey', pg_get_partkeydef(c.oid), 'partition', pg_get_expr(relpartbound, c.oid), 'access', relacl IS NOT NULL) AS value
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname ${OURS} AND relkind IN ('r', 'p', 'v', 'm', 'S')`,
  columns: `
    SELECT relname AS name, json_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod),
      CASE WHEN attnotnull THEN 'NOT NULL' END, 'GENERATED ' || nullif(attgenerated::text, ''),
      'IDENTITY ' || nullif(attidentity::text, ''), 'DEFAULT ' || pg_get_expr(adbin, adrelid),
      'STATISTICS ' || attstattarget::text, 'STORAGE ' || nullif(attstorage::text, typstorage::text),
      'COLLATE ' || (SELECT collname::text FROM pg_collation p WHERE p.oid = attcollation AND p.oid <> typcollation))
      ORDER BY attname) AS value
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid
      JOIN pg_type t ON t.oid = atttypid
      LEFT JOIN pg_attrdef ON adrelid = c.oid AND adnum = attnum
    WHERE nspname ${OURS} AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped GROUP BY relname`,
  constraints: `
    SELECT relname || '.' || conname AS name, to_json(pg_get_constraintdef(k.oid)) AS value
    FROM pg_constraint k JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname ${OURS}`,
  indexes: `
    SELECT relname AS name, json_build_object('is', pg_get_indexdef(indexrelid), 'valid', indisvalid) AS value
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname ${OURS}`,
  triggers: `
    SELECT relname || '.' || tgname AS name, json_build_object('is', pg_get_triggerdef(t.oid), 'enabled', tgenabled) AS value
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname ${OURS} AND NOT tgisinternal`,
  functions: `
    SELECT p.oid::regprocedure::text AS name, to_json(pg_get_functiondef(p.oid)) AS value
    FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname ${OURS} AND prokind <> 'a'`,
  types: `
    SELECT typname AS name, json_agg(enumlabel ORDER BY enumsortorder) AS value
    FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace JOIN pg_enum ON enumtypid = t.oid WHERE nspname ${OURS}
    GROUP BY typname`,
  statistics: `
    SELECT stxname AS name, to_json(pg_get_statisticsobjdef(s.oid)) AS value
    FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = stxnamespace WHERE nspname ${OURS}`,
  extensions: `SELECT extname AS name, to_json(extname) AS value FROM pg_extension`,
  settings: `
    SELECT coalesce(rolname, 'everybody') AS name, to_json(setconfig) AS value
    FROM pg_db_role_setting JOIN pg_database d ON d.oid = setdatabase LEFT JOIN pg_roles r ON r.oid = setrole
    WHERE datname = current_database()`,
};

/** Describes everything that migrations have created in a database, ordered by name. */
export async function describeSchema(client: pg.Client): Promise<Schema> {
  // With an empty search path, every name is printed with its schema.
  await client.query(`SET search_path = ''`);
  const kinds: [string, Record<string, unknown>][] = [];
  for (const [kind, sql] of Object.entries(QUERIES)) {
    const { rows } = await client.query<{ name: string; value: unknown }>(sql);
    const named = rows.map(({ name, value }) => [name, value] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    kinds.push([kind, Object.fromEntries(named)]);
  }
  return Object.fromEntries(kinds);
}

/** What an operator runs (docs/runbook.md). */
const MIGRATE = ['apps/offsets/dist/persistence/migrate.js'];
const run = promisify(execFile);

/** Creates a database, migrates it as an operator would, and drops it after `use`. */
export async function withMigratedDatabase<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  if (DATABASE_URL === undefined) throw new Error('DATABASE_URL must name a PostgreSQL.');
  const name = `test-${TEST_RUN}-${randomUUID()}`;
  const url = new URL(DATABASE_URL);
  url.pathname = `/${name}`;
  return await withClient(DATABASE_URL, async (admin) => {
    await admin.query(`CREATE DATABASE "${name}"`);
    try {
      await run(execPath, MIGRATE, { cwd: ROOT, env: { ...ENVIRONMENT, DATABASE_URL: url.href } });
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
