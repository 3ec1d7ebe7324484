import { Metrics, type Reading } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { MOST_COUNTED, storeMetrics } from '../offsets.metrics.js';
import { Database } from '../persistence/database.js';

type Row = Record<keyof typeof storeMetrics, number>;

/** The server gives up by itself what nobody waits for any more. Milliseconds. */
const STATEMENT_MS = 1_400;

const count = (rows: string) =>
  `(SELECT count(*)::integer FROM (SELECT FROM ${rows} LIMIT ${MOST_COUNTED}) AS counted)`;
/** The clock of whoever accepted an offset may be a little ahead of the database's. */
const age = (first: string) =>
  `coalesce((SELECT greatest(extract(epoch FROM now() - created_at), 0)::double precision FROM ${first} LIMIT 1), 0)`;

/** One look at what waits in the tables: each part reads a bounded piece, or one entry, of an index made for the queues. */
export const STORE_FIGURES = `SELECT
  ${count(`offsets WHERE status = 'queued'`)} AS "queued",
  ${age(`offsets WHERE status = 'queued' ORDER BY created_at, id`)} AS "oldestQueued",
  ${count(`offsets WHERE status = 'processing'`)} AS "processing",
  ${age(`offsets WHERE status = 'processing' ORDER BY created_at, id`)} AS "oldestProcessing",
  ${count('outbox WHERE published_at IS NULL')} AS "unsent",
  ${age('outbox WHERE published_at IS NULL ORDER BY created_at, event_id')} AS "oldestUnsent"`;

/** Shows what waits in the tables, whenever somebody looks and at most every few seconds. */
@Injectable()
export class StoreFigures {
  constructor(metrics: Metrics, database: Database) {
    const instruments = metrics.of(storeMetrics);
    const ask = async (): Promise<readonly Reading[]> => {
      const [row] = await database.transaction(async (query) => {
        await query(`SET LOCAL statement_timeout = ${STATEMENT_MS}`);
        return query<Row>(STORE_FIGURES);
      });
      if (row === undefined) return [];
      const names = Object.keys(storeMetrics) as (keyof typeof storeMetrics)[];
      return names.map((name) => instruments[name].reading(row[name]));
    };
    metrics.gather({ source: 'tables', ask });
  }
}
