import { Ids } from '@carbon/contracts';
import { randomFrom } from '../library.js';
import type { FreshDatabase } from '../stage.js';

const EPOCH = Date.UTC(2026, 0, 1);
const EVERY_MS = 1_000;
const ASSETS = 50;
const STEP = 50_000;
const SEED = 7;

/** The ids and times of completed offsets of one account. */
export interface CompletedStore {
  /** In random order. */
  readonly ids: readonly string[];
  /** Returns the creation time of the offset after that many others. */
  timeAfter(offsets: number): string;
}

/**
 * Fills a migrated database with completed offsets of an account, one per second, with ids that its gateway accepts. Every third
 * is retired from two assets.
 */
export async function fillWithCompleted(
  database: FreshDatabase,
  account: string,
  offsets: number,
  environment: Readonly<Record<string, string>>,
): Promise<CompletedStore> {
  const secrets = (name: string) => (environment[name] ?? '').split(',');
  const issuer = new Ids({ ids: secrets('ID_SECRETS'), idempotency: secrets('IDEMPOTENCY_SECRETS') });
  const timeOf = (n: number) => EPOCH + n * EVERY_MS;
  const ids = Array.from({ length: offsets }, (_, n) => issuer.generate('off', account, timeOf(n)));
  await database.run(SUPPLY, [ASSETS]);
  for (let from = 0; from < offsets; from += STEP) {
    const some = ids.slice(from, from + STEP);
    await database.run(OFFSETS, [some, account, new Date(timeOf(from)), EVERY_MS]);
    await database.run(LEDGER, [some, from, new Date(timeOf(from)), EVERY_MS, ASSETS]);
  }
  // Otherwise autovacuum could start during a measurement.
  await database.run('VACUUM (ANALYZE) offsets, ledger, supply');
  await database.run('CHECKPOINT');
  return { ids: shuffled(ids), timeAfter: (count) => new Date(timeOf(count)).toISOString() };
}

function shuffled<T>(values: readonly T[]): T[] {
  const random = randomFrom(SEED);
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

const SUPPLY = `
  INSERT INTO supply (asset_id, type, active, price_micros, rating, ticker, address, published_issued, issued, retired,
    version, brought_in)
  SELECT 'pool_' || n, 'POOL', true, 10000000 + n, 3, 'P' || n, '0x' || n, 1e12, 1e12, 0, 1, 1
  FROM generate_series(0, $1::integer - 1) AS n`;

const OFFSETS = `
  INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, customer_ref, cost_micros, created_at, updated_at,
    processing_at, completed_at, announced_at)
  SELECT id, $2, 'completed', 1234.5, 1234500, md5(id) || md5(id), 'order ' || place, 12345000, at, at, at, at, at
  FROM unnest($1::text[]) WITH ORDINALITY AS given (id, place),
    LATERAL (SELECT $3::timestamptz + (place - 1) * $4::integer * interval '1 ms' AS at)`;

const LEDGER = `
  INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash)
  SELECT 'pool_' || (place + line) % $5::integer, 2 * ($2::integer + place) + line, id, 1234500 / lines, 10000000 + line,
    $3::timestamptz + (place - 1) * $4::integer * interval '1 ms', sha256((id || line)::bytea)
  FROM unnest($1::text[]) WITH ORDINALITY AS given (id, place),
    LATERAL (SELECT CASE WHEN place % 3 = 0 THEN 2 ELSE 1 END AS lines),
    LATERAL generate_series(0, lines - 1) AS line`;
