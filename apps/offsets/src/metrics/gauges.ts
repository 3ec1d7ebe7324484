import { Metrics, type Sample } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { AVAILABLE, RETIRABLE } from '../fulfillment/supply-rows.js';
import { MAX_COUNTED, poolMetrics, registryMetrics, storeMetrics, supplyMetrics } from '../offsets.metrics.js';
import { Database } from '../persistence/database.js';
import { HttpRegistry } from '../registry/http-registry.js';
import { Registry } from '../registry/registry.js';

/** PostgreSQL cancels a query that no scrape waits for any more. Milliseconds. */
const STATEMENT_TIMEOUT_MS = 1_400;
/** The supply has no index for its sums, because it would make every reservation slower. */
const SUPPLY_CACHED_MS = 10_000;

/** `order` is the order of an index, so that PostgreSQL reads only the counted rows. */
const count = (rows: string, order: string) =>
  `(SELECT count(*)::integer FROM (SELECT FROM ${rows} ORDER BY ${order} LIMIT ${MAX_COUNTED}) AS counted)`;
/** The clock of the process that accepted an offset may be a little ahead of the database's. */
const age = (first: string) => `coalesce(greatest(extract(epoch FROM now() - (${first})), 0), 0)::double precision`;
const oldest = (rows: string, order: string) => age(`SELECT created_at FROM ${rows} ORDER BY ${order} LIMIT 1`);

const QUEUED = [`offsets WHERE status = 'queued'`, 'created_at, id'] as const;
const PROCESSING = [`offsets WHERE status = 'processing'`, 'lease_until, id'] as const;
const UNPUBLISHED = ['outbox WHERE published_at IS NULL', 'created_at, event_id'] as const;

/**
 * Reads a bounded piece, or one entry, of the index of each queue. The age of an offset in `processing` counts from when its credits
 * were reserved, because one that waited long in a backlog is not stuck; or from its acceptance where that time is unknown.
 */
export const QUEUE_GAUGES_SQL = `SELECT
  ${count(...QUEUED)} AS "queued",
  ${oldest(...QUEUED)} AS "oldestQueued",
  ${count(...PROCESSING)} AS "processing",
  ${age(`SELECT min(since) FROM (SELECT coalesce(processing_at, created_at) AS since FROM ${PROCESSING[0]} ORDER BY ${PROCESSING[1]} LIMIT ${MAX_COUNTED}) AS held`)} AS "oldestProcessing",
  ${count(...UNPUBLISHED)} AS "unpublished",
  ${oldest(...UNPUBLISHED)} AS "oldestUnpublished",
  (SELECT extract(epoch FROM audited_at)::double precision FROM database_state) AS "lastAudit"`;

/** Grams beyond 2^53 are rounded. */
const SUPPLY_GAUGES_SQL = `SELECT
  coalesce(sum(reserved + retired - published_issued) FILTER (WHERE reserved + retired > published_issued), 0)::double precision AS "overhangGrams",
  count(*) FILTER (WHERE reserved + retired > published_issued)::integer AS "overhangAssets",
  coalesce(sum(issued - reserved - retired) FILTER (WHERE ${RETIRABLE}), 0)::double precision AS "availableGrams",
  count(*) FILTER (WHERE ${RETIRABLE})::integer AS "retirableAssets",
  count(*) FILTER (WHERE ${AVAILABLE})::integer AS "availableAssets"
  FROM supply`;

/** Sets the gauges of the service when metrics are scraped. Those of tables are read at most every few seconds. */
@Injectable()
export class Gauges {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
    private readonly gate: ReadinessGate,
    private readonly registry: Registry,
  ) {
    const { ready, ...supply } = metrics.of(supplyMetrics);
    const queues = metrics.of(storeMetrics);
    metrics.addCollector({ source: 'tables', collect: () => this.read(QUEUE_GAUGES_SQL, queues) });
    metrics.addCollector({
      source: 'supply',
      collect: () => this.read(SUPPLY_GAUGES_SQL, supply),
      cacheMs: SUPPLY_CACHED_MS,
    });
    metrics.onScrape(() => ready.set(this.gate.isOpen ? 1 : 0));
    this.setPoolGauges();
    this.setRegistryGauges();
  }

  /** Reads one gauge per column; one without a value is absent. */
  private async read<Name extends string>(
    sql: string,
    gauges: Readonly<Record<Name, Sample['gauge']>>,
  ): Promise<readonly Sample[]> {
    const [row] = await this.database.transaction(async (query) => {
      await query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
      return query<Record<Name, number | null>>(sql);
    });
    if (row === undefined) return [];
    return (Object.keys(gauges) as Name[]).flatMap((name) => {
      const value = row[name];
      return value === null ? [] : { gauge: gauges[name], value };
    });
  }

  private setPoolGauges(): void {
    const { connections, limit, waiting } = this.metrics.of(poolMetrics);
    this.metrics.onScrape(() => {
      const { pool } = this.database;
      if (pool === undefined) return;
      connections.set({ state: 'idle' }, pool.idle);
      connections.set({ state: 'busy' }, pool.total - pool.idle);
      limit.set(pool.max);
      waiting.set(pool.waiting);
    });
  }

  private setRegistryGauges(): void {
    const { calls, breakerOpen } = this.metrics.of(registryMetrics);
    if (!(this.registry instanceof HttpRegistry)) return;
    const { tally, breaker } = this.registry;
    const counted = { retired: 0, refused: 0, unknown: 0 };
    this.metrics.onScrape(() => {
      for (const outcome of ['retired', 'refused', 'unknown'] as const) {
        calls.inc({ outcome }, tally[outcome] - counted[outcome]);
        counted[outcome] = tally[outcome];
      }
      breakerOpen.set(breaker.state === 'closed' ? 0 : 1);
    });
  }
}
