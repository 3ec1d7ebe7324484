import { Metrics } from '@carbon/observability';
import { Injectable } from '@nestjs/common';
import { SupplyGate } from '../fulfillment/readiness-gate.js';
import { RETIRABLE } from '../fulfillment/supply-rows.js';
import { supplyMetrics } from '../offsets.metrics.js';
import { Database } from '../persistence/database.js';

interface Row {
  readonly overhang_grams: number;
  readonly overhang_assets: number;
  readonly available_grams: number;
  readonly retirable_assets: number;
}

/** The server gives up by itself what nobody waits for any more. Milliseconds. */
const STATEMENT_MS = 1_400;
/** It reads the row of every asset, for which there is no index that would not make every reservation dearer. */
const KEPT_MS = 10_000;

/** One look at all of the supply. What grams are beyond 2^53 is rounded: this is for looking at. */
export const SUPPLY_FIGURES = `SELECT
  coalesce(sum(reserved + retired - published_issued) FILTER (WHERE reserved + retired > published_issued), 0)::double precision AS overhang_grams,
  count(*) FILTER (WHERE reserved + retired > published_issued)::integer AS overhang_assets,
  coalesce(sum(issued - reserved - retired) FILTER (WHERE ${RETIRABLE}), 0)::double precision AS available_grams,
  count(*) FILTER (WHERE ${RETIRABLE})::integer AS retirable_assets
  FROM supply`;

/** Shows how much there is, and how much is promised or gone that the library does not speak of any more. */
@Injectable()
export class SupplyFigures {
  constructor(metrics: Metrics, database: Database, gate: SupplyGate) {
    const { overhangGrams, overhangAssets, availableGrams, retirableAssets, caughtUp } = metrics.of(supplyMetrics);
    const ask = async () => {
      const [row] = await database.transaction(async (query) => {
        await query(`SET LOCAL statement_timeout = ${STATEMENT_MS}`);
        return query<Row>(SUPPLY_FIGURES);
      });
      if (row === undefined) return [];
      return [
        overhangGrams.reading(row.overhang_grams),
        overhangAssets.reading(row.overhang_assets),
        availableGrams.reading(row.available_grams),
        retirableAssets.reading(row.retirable_assets),
      ];
    };
    metrics.gather({ source: 'supply', ask, keptMs: KEPT_MS });
    metrics.onScrape(() => caughtUp.set(gate.isOpen ? 1 : 0));
  }
}
