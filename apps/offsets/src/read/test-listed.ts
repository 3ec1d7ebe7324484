/**
 * Fills an account ($1) with so many ($2) offsets from a time ($3) on, two at every second, in all states, with and
 * without references: `u-0` and `u 1&x=%`, `e-0` and `e-1`. An estimate is used once, so what names one has mostly failed.
 */
export const INSERT_LISTED = `
  INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, estimate_id, customer_ref, cost_micros,
    failure_code, failure_detail, created_at, updated_at, completed_at, failed_at)
  SELECT $1 || '_' || lpad(n::text, 10, '0'), $1, status, 1, 1000, repeat('0', 64), estimate, reference,
    CASE WHEN status IN ('processing', 'completed') THEN 1 END,
    CASE WHEN status = 'failed' THEN 'estimate_used' END, CASE WHEN status = 'failed' THEN 'It is used.' END,
    at, at, CASE WHEN status = 'completed' THEN at END, CASE WHEN status = 'failed' THEN at END
  FROM generate_series(1, $2::integer) AS n,
    LATERAL (SELECT $3::timestamptz + (n / 2) * interval '1 s' AS at,
      (ARRAY['u-0', 'u 1&x=%', NULL])[1 + n % 3] AS reference,
      CASE WHEN n % 4 < 2 THEN (ARRAY['e-0', 'e-1'])[1 + n % 2] END AS estimate) AS told,
    LATERAL (SELECT CASE WHEN estimate IS NOT NULL THEN (ARRAY['failed', 'queued'])[1 + (n / 4) % 2]
      ELSE (ARRAY['completed', 'completed', 'processing', 'failed', 'queued'])[1 + n % 5] END AS status) AS came`;
