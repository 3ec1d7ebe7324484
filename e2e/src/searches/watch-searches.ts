import { setTimeout as pause } from 'node:timers/promises';
import { CommandError, EXIT } from '@carbon/terminal';
import type { Client } from '../load/client.js';

/** A search whose total must not change. */
export interface WatchedSearch {
  readonly kind: 'pools' | 'projects';
  readonly criteria: string;
  readonly fullTextSearch: string;
}

/** The searches: the whole library, parts of it, and full text. */
export const WATCHED_SEARCHES: readonly WatchedSearch[] = [
  { kind: 'projects', criteria: '', fullTextSearch: '' },
  { kind: 'projects', criteria: 'rating >= 3', fullTextSearch: '' },
  { kind: 'projects', criteria: 'not country exists', fullTextSearch: '' },
  { kind: 'projects', criteria: 'active:true', fullTextSearch: 'wind power' },
  { kind: 'pools', criteria: '', fullTextSearch: '' },
];

/** The results of the searches. */
export interface WatchReport {
  readonly searches: number;
  /** How many responses had another total than the first one, or were an error. */
  readonly failures: number;
  /** The first of these failures, as sentences. */
  readonly errors: readonly string[];
  /** In ms. */
  readonly latencies: readonly number[];
  /** The first total of each search. */
  readonly totals: readonly number[];
}

const LIMIT = 20;
const MAX_ERRORS = 10;
/** After a failure, so that a gateway that is down is not called continuously. */
const FAILURE_PAUSE_MS = 200;

/**
 * Searches continuously, with bounded concurrency, until the signal. Every total must stay what it was at first.
 * @throws CommandError when one of the first searches fails
 */
export async function watchSearches(
  clients: readonly Client[],
  inFlight: number,
  stop: AbortSignal,
): Promise<WatchReport> {
  const [first] = clients;
  if (first === undefined) throw new RangeError('There is no client.');
  const totals: number[] = [];
  for (const watched of WATCHED_SEARCHES) totals.push(await totalOf(first, watched, 0));
  const errors: string[] = [];
  const latencies: number[] = [];
  let failures = 0;
  let n = 0;
  const searching = Array.from({ length: inFlight }, async () => {
    while (!stop.aborted) {
      n += 1;
      const place = n % WATCHED_SEARCHES.length;
      // Each client gets all searches before the next one does, whatever the number of clients.
      const round = Math.floor(n / WATCHED_SEARCHES.length);
      const [client, watched] = [clients[round % clients.length], WATCHED_SEARCHES[place]];
      if (client === undefined || watched === undefined) return;
      const begin = performance.now();
      const total = await totalOf(client, watched, n).catch((error: CommandError) => error.message);
      latencies.push(performance.now() - begin);
      if (total === totals[place]) continue;
      failures += 1;
      const error = typeof total === 'string' ? total : `The total is ${total} instead of ${totals[place]}.`;
      if (errors.length < MAX_ERRORS) errors.push(`${JSON.stringify(watched)}: ${error}`);
      await pause(FAILURE_PAUSE_MS, undefined, { signal: stop }).catch(() => {});
    }
  });
  await Promise.all(searching);
  latencies.sort((one, other) => one - other);
  return { searches: latencies.length, failures, errors, latencies, totals };
}

/** Returns the total of a search. `n` makes its criteria unique, because responses are cached for a second. */
async function totalOf(client: Client, { kind, criteria, fullTextSearch }: WatchedSearch, n: number): Promise<number> {
  const unique = `${criteria}${criteria && ' and '}not id:none_${n}`;
  const query = new URLSearchParams({ criteria: unique, fullTextSearch, limit: String(LIMIT) });
  const path = `/v1/assets/${kind}?${String(query).replaceAll('+', '%20')}`;
  const answer = await client.get(path);
  if (answer.kind === 'broken') throw new CommandError(answer.reason, EXIT.unavailable);
  const total = Number(answer.headers['x-total-count']);
  const page = Array.isArray(answer.body) ? answer.body.length : -1;
  if (answer.status !== 200) {
    const reason = `${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`;
    throw new CommandError(reason, answer.status === 503 ? EXIT.unavailable : EXIT.failed);
  }
  if (page !== Math.min(LIMIT, total))
    throw new CommandError(`The page has ${page} assets of ${total}; limit ${LIMIT}.`);
  return total;
}
