import type { DecidedOffset } from '../domain/outcome.js';

/** The columns that an outcome's event repeats, as the driver gives them. */
export interface DecidedRow {
  readonly id: string;
  readonly account: string;
  readonly kg_co2e: number;
  readonly estimate_id: string | null;
  readonly customer_ref: string | null;
  readonly traceparent: string | null;
  readonly created_at: Date;
  readonly fingerprint: string;
}

/** For SELECT and RETURNING; names the table, since updates join others. */
export const DECIDED_COLUMNS = [
  ...['id', 'account', 'kg_co2e', 'estimate_id', 'customer_ref', 'traceparent', 'created_at', 'fingerprint'],
]
  .map((column) => `offsets.${column}`)
  .join(', ');

/** The decided offset that such a row holds. */
export function decidedOffset(row: DecidedRow): DecidedOffset {
  return {
    id: row.id,
    account: row.account,
    kgCO2e: row.kg_co2e,
    estimateId: row.estimate_id,
    customerRef: row.customer_ref,
    createdAt: row.created_at.toISOString(),
    fingerprint: row.fingerprint,
  };
}
