import pg from 'pg';

/** Runs statements on one connection to a PostgreSQL server. @param more settings of the connection, such as `query_timeout` */
export async function withPostgres<T>(
  url: string,
  work: (sql: pg.Client) => Promise<T>,
  more: pg.ClientConfig = {},
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, ...more });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The timeouts of a check whether a server is ready. */
export const READINESS_TIMEOUTS = { connectionTimeoutMillis: 1_500, query_timeout: 5_000 } as const;
