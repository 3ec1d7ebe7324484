import type pg from 'pg';

/** Reads the tables of the service. */
export class StoredRows {
  constructor(readonly sql: pg.Pool) {}

  async rows<Row extends object>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.sql.query<Row>(sql, parameters)).rows;
  }

  /** Counts the offsets by status. */
  async counts(): Promise<Record<string, number>> {
    const sql = 'SELECT status, count(*)::integer AS n FROM offsets GROUP BY status';
    return Object.fromEntries(
      (await this.rows<{ status: string; n: number }>(sql)).map(({ status, n }) => [status, n]),
    );
  }

  /** Reads every row that fulfillment writes. */
  async contents(): Promise<object[][]> {
    const tables = ['offsets', 'supply', 'ledger', 'outbox', 'reservations'];
    return Promise.all(tables.map((table) => this.rows(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  }
}
