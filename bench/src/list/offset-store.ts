import { withPostgres } from '@carbon/local';

/** The account of all offsets. */
export const ACCOUNT = 'bench';
/** The number of offsets per `customerRef`; one in a hundred has no ledger entry, because it failed. */
export const PER_CUSTOMER = 100;
/** An estimate that every fourth failed offset names. */
export const ESTIMATE = 'est_used';
const EPOCH = Date.UTC(2026, 0, 1);
const EVERY_MS = 1_000;
const ASSETS = 50;
const STEP = 100_000;

/** Returns the id of the offset with a number, from 1 on; a higher number is newer. */
export function idOf(n: number): string {
  return `off_${String(n).padStart(26, '0')}`;
}

/** Returns when the offset with a number was accepted. */
export function timeOf(n: number): string {
  return new Date(EPOCH + n * EVERY_MS).toISOString();
}

/** Returns the customer's reference of an offset in a store of this size. */
export function customerOf(n: number, offsets: number): string {
  return `u-${n % (offsets / PER_CUSTOMER)}`;
}

/** Returns the account of an offset in a store of several accounts. */
export function accountOf(n: number, accounts: number): string {
  return accounts === 1 ? ACCOUNT : `${ACCOUNT}-${n % accounts}`;
}

/**
 * Fills a migrated database with offsets, one per second, of one account or of several in turn. Nine of ten are completed,
 * with a ledger entry, and one has failed; none is queued, because the service would process it.
 */
export async function fillStore(
  url: string,
  offsets: number,
  report: (step: string) => void,
  accounts = 1,
): Promise<void> {
  const customers = offsets / PER_CUSTOMER;
  const insert = (sql: string, values: readonly unknown[], onStep: (before: number) => void) =>
    withPostgres(url, async (client) => {
      await client.query('SET synchronous_commit = off');
      for (let from = 1; from <= offsets; from += STEP) {
        onStep(from - 1);
        await client.query(sql, [from, Math.min(offsets, from + STEP - 1), ...values]);
      }
    });
  await withPostgres(url, async (client) => {
    await client.query(SUPPLY, [ASSETS]);
    // PostgreSQL uses one processor for one connection.
    await Promise.all([
      insert(OFFSETS, [ACCOUNT, new Date(EPOCH), customers, ESTIMATE, EVERY_MS, accounts], (before) =>
        report(`${before} of ${offsets} offsets are in their store`),
      ),
      insert(LEDGER, [new Date(EPOCH), ASSETS, EVERY_MS], () => {}),
    ]);
    report('vacuuming PostgreSQL');
    // Otherwise autovacuum could start during a measurement.
    await client.query('VACUUM (ANALYZE) offsets, ledger, supply');
    await client.query('CHECKPOINT');
  });
}

const SUPPLY = `
  INSERT INTO supply (asset_id, type, active, price_micros, rating, ticker, address, published_issued, issued, retired,
    version, brought_in)
  SELECT 'pool_' || n, 'POOL', true, 10000000, 3, 'P' || n, '0x' || n, 1e12, 1e12, 0, 1, 1
  FROM generate_series(0, $1::integer - 1) AS n`;

const OFFSETS = `
  INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, customer_ref, estimate_id, cost_micros,
    failure_code, failure_detail, created_at, updated_at, processing_at, completed_at, failed_at, announced_at)
  SELECT 'off_' || lpad(n::text, 26, '0'),
    CASE WHEN $8::integer = 1 THEN $3::text ELSE $3 || '-' || n % $8 END, CASE WHEN failed THEN 'failed' ELSE 'completed' END, 1, 1000,
    md5(n::text) || md5(n::text), 'u-' || n % $5::integer, CASE WHEN failed AND n % 4 = 0 THEN $6 END,
    CASE WHEN NOT failed THEN 10000 END, CASE WHEN failed THEN 'estimate_used' END,
    CASE WHEN failed THEN 'Another offset has used this estimate.' END, at, at,
    CASE WHEN NOT failed THEN at END, CASE WHEN NOT failed THEN at END, CASE WHEN failed THEN at END, at
  FROM generate_series($1::integer, $2::integer) AS n,
    LATERAL (SELECT n % 10 = 0 AS failed, $4::timestamptz + n * ($7::integer * interval '1 ms') AS at)`;

const LEDGER = `
  INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash)
  SELECT 'pool_' || n % $4::integer, n, 'off_' || lpad(n::text, 26, '0'), 1000, 10000000,
    $3::timestamptz + n * ($5::integer * interval '1 ms'), sha256(n::text::bytea)
  FROM generate_series($1::integer, $2::integer) AS n WHERE n % 10 <> 0`;
