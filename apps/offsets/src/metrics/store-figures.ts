import { Metrics, type Sample } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { MOST_COUNTED, storeMetrics } from '../offsets.metrics.js';
import { Database } from '../persistence/database.js';

type Row = Record<keyof typeof storeMetrics, number>;

/** The server gives up by itself what nobody waits for any more. Milliseconds. */
const STATEMENT_MS = 1_400;

/** `order` is that of an index, which is then read only as far as rows are counted. */
const count = (rows: string, order: string) =>
  `(SELECT count(*)::integer FROM (SELECT FROM ${rows} ORDER BY ${order} LIMIT ${MOST_COUNTED}) AS counted)`;
/** The clock of whoever accepted an offset may be a little ahead of the database's. */
const age = (first: string) => `coalesce(greatest(extract(epoch FROM now() - (${first})), 0), 0)::double precision`;
const oldest = (rows: string, order: string) => age(`SELECT created_at FROM ${rows} ORDER BY ${order} LIMIT 1`);

const QUEUED = [`offsets WHERE status = 'queued'`, 'created_at, id'] as const;
const HELD = [`offsets WHERE status = 'processing'`, 'lease_until, id'] as const;
const UNSENT = ['outbox WHERE published_at IS NULL', 'created_at, event_id'] as const;

/**
 * One look at what waits in the tables: each part reads a bounded piece, or one entry, of an index made for the queues.
 * Those held are in the order of their leases, so the oldest is that of as many as are counted. It counts from when they
 * were given their credits: one that waited long in a backlog is not stuck. Rows of before that was noted count from
 * their acceptance.
 */
export const STORE_FIGURES = `SELECT
  ${count(...QUEUED)} AS "queued",
  ${oldest(...QUEUED)} AS "oldestQueued",
  ${count(...HELD)} AS "processing",
  ${age(`SELECT min(since) FROM (SELECT coalesce(processing_at, created_at) AS since FROM ${HELD[0]} ORDER BY ${HELD[1]} LIMIT ${MOST_COUNTED}) AS held`)} AS "oldestProcessing",
  ${count(...UNSENT)} AS "unsent",
  ${oldest(...UNSENT)} AS "oldestUnsent"`;

/** Shows what waits in the tables, whenever somebody looks and at most every few seconds. */
@Injectable()
export class StoreFigures {
  constructor(metrics: Metrics, database: Database) {
    const instruments = metrics.of(storeMetrics);
    const ask = async (): Promise<readonly Sample[]> => {
      const [row] = await database.transaction(async (query) => {
        await query(`SET LOCAL statement_timeout = ${STATEMENT_MS}`);
        return query<Row>(STORE_FIGURES);
      });
      if (row === undefined) return [];
      const names = Object.keys(storeMetrics) as (keyof typeof storeMetrics)[];
      return names.map((name) => ({ gauge: instruments[name], value: row[name] }));
    };
    metrics.addCollector({ source: 'tables', collect: ask });
  }
}
