import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { runProgram } from '../processes/run-program.js';
import { fromRoot } from '../stage/checkout.js';

const MIGRATE = fromRoot('apps/offsets/dist/persistence/migrate.js');

/** A database of the offsets service that nobody has used, and a connection to look into it. */
export interface FreshDatabase {
  readonly url: string;
  /** The one row of a question. */
  one<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row>;
  /** Removes it, whoever is connected to it. */
  drop(): Promise<void>;
}

/** Makes a database on a server, with the tables of the offsets service. */
export async function freshDatabase(server: string, signal: AbortSignal): Promise<FreshDatabase> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  // Unheard, an error of the connection would end the run; what is asked of it rejects with it anyway.
  client.on('error', () => {});
  const drop = async () => {
    await client.end();
    await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  try {
    await runProgram(MIGRATE, [], { DATABASE_URL: url.href }, signal);
    await client.connect();
  } catch (error) {
    await drop();
    throw error;
  }
  return { url: url.href, one: (sql, parameters) => firstRow(client, sql, parameters), drop };
}

async function firstRow<Row extends object>(client: pg.Client, sql: string, parameters?: readonly unknown[]) {
  const { rows } = await client.query<Row>(sql, parameters === undefined ? [] : [...parameters]);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no row: ${sql}`);
  return row;
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
