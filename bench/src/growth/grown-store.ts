import { randomFrom } from '../library.js';
import { accountOf, fillStore, idOf, PER_CUSTOMER } from '../list/offset-store.js';
import type { LoadRequest } from '../load/load.js';
import type { FreshDatabase } from '../stage.js';

/** The number of offsets of each account, and of offsets for each exhausted asset. */
const PER_ACCOUNT = PER_CUSTOMER;
const SEED = 12;
/** The number of different requests of each kind. */
const REQUESTS = 5_000;
const PAGE = 26;
const HOUR_MS = 3_600_000;

/** Every asset of the filled store, and more, would be taken before all others if they were not exhausted. */
const EXHAUST = `
  INSERT INTO supply (asset_id, type, active, price_micros, rating, ticker, address, published_issued, issued, retired,
    version, brought_in)
  SELECT 'proj_exhausted_' || n, 'PROJECT', true, 1, 5, 'E' || n, '0xe' || n, 1000000, 1000000, 1000000, 1, 1
  FROM generate_series(1, $1::integer) AS n`;

/** Fills a database with offsets, a hundredth as many accounts, and as many exhausted assets. */
export async function fillGrown(
  database: FreshDatabase,
  offsets: number,
  report: (step: string) => void,
): Promise<void> {
  const accounts = offsets / PER_ACCOUNT;
  await fillStore(database.url, offsets, report, accounts);
  // Their chains of ledger entries are not real.
  await database.run('UPDATE supply SET retired = issued WHERE issued = 1e12');
  await database.run(EXHAUST, [accounts]);
  await database.run('VACUUM (ANALYZE) supply');
}

/** The requests that are compared, by what they do. */
export type GrowthRequests = Readonly<Record<'read one' | 'list of 26' | 'estimate', readonly LoadRequest[]>>;

/**
 * Returns requests to the offsets service about random offsets and accounts of a filled store.
 * @param headersOf returns the headers with which a gateway calls it for an account
 */
export function growthRequests(
  offsets: number,
  headersOf: (account: string) => Readonly<Record<string, string>>,
): GrowthRequests {
  const random = randomFrom(SEED);
  const accounts = offsets / PER_ACCOUNT;
  const requests = (make: (n: number, headers: Readonly<Record<string, string>>) => LoadRequest) =>
    Array.from({ length: REQUESTS }, () => {
      const n = 1 + Math.floor(random() * offsets);
      return make(n, headersOf(accountOf(n, accounts)));
    });
  const now = Date.now();
  // Each request has another id.
  const estimate = {
    id: `est_${'0'.repeat(20)}{n}`,
    kgCO2e: 1234.567,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + HOUR_MS).toISOString(),
  };
  const body = JSON.stringify(estimate);
  return {
    'read one': requests((n, headers) => ({ method: 'GET', path: `/v1/offsets?id=${idOf(n)}`, headers })),
    'list of 26': requests((_, headers) => ({ method: 'GET', path: `/v1/offsets?limit=${PAGE}`, headers })),
    estimate: requests((_, headers) => ({ method: 'POST', path: '/v1/estimates', body, headers })),
  };
}
