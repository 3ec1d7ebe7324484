/** An invariant. `sql` returns a sentence, `finding`, for every violation. */
export interface Rule {
  readonly sql: string;
  /** A warning is printed, and does not change the result. */
  readonly warning?: true;
}

/** Grams at their prices, each line rounded half up to the millionth, as `costMicros` does. */
const COST = 'sum(div(grams::numeric * price_micros + 500000, 1000000))';

/** Conservation: to the gram, issued = available + reserved + retired, and every state agrees with its rows. */
export const RULES: readonly Rule[] = [
  {
    sql: `SELECT format('%s: %s g are reserved, its reservations say %s g', asset_id, coalesce(reserved, 0), coalesce(recorded, 0))
          FROM supply FULL JOIN (SELECT asset_id, sum(grams) AS recorded FROM reservations GROUP BY asset_id) AS held
            USING (asset_id)
          WHERE coalesce(reserved, 0) <> coalesce(recorded, 0)`,
  },
  {
    sql: `SELECT format('%s: %s g are retired, its ledger says %s g', asset_id, coalesce(retired, 0), coalesce(recorded, 0))
          FROM supply FULL JOIN (SELECT asset_id, sum(grams) AS recorded FROM ledger GROUP BY asset_id) AS written
            USING (asset_id)
          WHERE coalesce(retired, 0) <> coalesce(recorded, 0)`,
  },
  {
    sql: `SELECT format('%s: %s g are issued, it should be %s g', asset_id, issued, due)
          FROM (SELECT *, greatest(published_issued, reserved + retired) AS due FROM supply) AS owed WHERE issued <> due`,
  },
  {
    sql: `SELECT format('%s: %s with %s g, its ledger says %s g', id, coalesce(status, 'unknown'), grams, coalesce(recorded, 0))
          FROM offsets FULL JOIN (SELECT offset_id AS id, sum(grams) AS recorded FROM ledger GROUP BY offset_id) AS written
            USING (id)
          WHERE coalesce(recorded, 0) <> CASE WHEN status = 'completed' THEN grams ELSE 0 END`,
  },
  {
    sql: `SELECT format('%s: %s with %s g, its reservations say %s g', id, coalesce(status, 'unknown'), grams, coalesce(recorded, 0))
          FROM offsets FULL JOIN (SELECT offset_id AS id, sum(grams) AS recorded FROM reservations GROUP BY offset_id) AS held
            USING (id)
          WHERE coalesce(recorded, 0) <> CASE WHEN status = 'processing' THEN grams ELSE 0 END`,
  },
  {
    sql: `SELECT format('%s: cost %s millionths, its ledger says %s', id, cost_micros, recorded)
          FROM offsets JOIN (SELECT offset_id AS id, ${COST} AS recorded FROM ledger GROUP BY offset_id) AS written USING (id)
          WHERE cost_micros IS DISTINCT FROM recorded`,
  },
  {
    sql: `SELECT format('%s: cost %s millionths, its reservations say %s', id, cost_micros, recorded)
          FROM offsets JOIN (SELECT offset_id AS id, ${COST} AS recorded FROM reservations GROUP BY offset_id) AS held
            USING (id)
          WHERE status = 'processing' AND cost_micros IS DISTINCT FROM recorded`,
  },
  {
    sql: `SELECT format('%s: published as entry %s of %s with the hash %s, the ledger has %s', outbox.offset_id,
            recorded.sequence, recorded.asset, recorded.hash, coalesce(encode(ledger.hash, 'hex'), 'none for it'))
          FROM outbox
          CROSS JOIN LATERAL json_to_recordset(payload -> 'retirements') AS recorded (asset text, sequence bigint, hash text)
          LEFT JOIN ledger ON ledger.asset_id = recorded.asset AND ledger.sequence = recorded.sequence
            AND ledger.offset_id = outbox.offset_id
          WHERE outbox.type = 'offset.completed.v1' AND encode(ledger.hash, 'hex') IS DISTINCT FROM recorded.hash`,
  },
  {
    sql: `SELECT format('%s: %s and %s, with %s unsent events', id, coalesce(status, 'unknown'),
            CASE WHEN announced_at IS NULL THEN 'not published' ELSE 'published' END, coalesce(unsent, 0))
          FROM offsets FULL JOIN (
            SELECT offset_id AS id, count(*) AS unsent FROM outbox WHERE published_at IS NULL GROUP BY offset_id
          ) AS waiting USING (id)
          WHERE coalesce(unsent, 0) + (announced_at IS NOT NULL)::integer
            <> CASE WHEN status IN ('completed', 'failed') THEN 1 ELSE 0 END`,
  },
  {
    sql: `SELECT format('%s: %s, but the outbox holds %s', offset_id, coalesce(status, 'unknown'), outbox.type)
          FROM outbox LEFT JOIN offsets ON offsets.id = offset_id
          WHERE outbox.type IS DISTINCT FROM format('offset.%s.v1', status)`,
  },
  {
    sql: `SELECT format('%s: is in the outbox %s times', event_id, count(*)) FROM outbox GROUP BY event_id HAVING count(*) > 1`,
  },
  {
    warning: true,
    sql: `SELECT format('%s: entries %s to %s are missing since the recovery of %s; they had not been published', asset_id,
            first_sequence, last_sequence, to_char(recovered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
          FROM ledger_gaps`,
  },
  {
    warning: true,
    sql: `SELECT format('%s: the library issues %s g, but %s g are reserved or retired', asset_id, published_issued,
            reserved + retired)
          FROM supply WHERE published_issued < reserved + retired`,
  },
];
