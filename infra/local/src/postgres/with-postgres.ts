import pg from 'pg';

const CONNECT_WITHIN_MS = 5_000;

/** Runs statements on one connection of its own to a PostgreSQL server. @param queryWithinMs how long each may take; any time by default */
export async function withPostgres<T>(
  url: string,
  work: (sql: pg.Client) => Promise<T>,
  queryWithinMs?: number,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: queryWithinMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
