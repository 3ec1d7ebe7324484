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
  /** Responses with another total than at first, or an error, as sentences. */
  readonly errors: readonly string[];
  /** In ms. */
  readonly latencies: readonly number[];
  /** The total of each search at first. */
  readonly totals: readonly number[];
}

/** Responses are cached for a second, by parameters; a different limit each time reaches the index. */
const LIMITS = 100;

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
  for (const watched of WATCHED_SEARCHES) totals.push(await totalOf(first, watched, 1));
  const errors: string[] = [];
  const latencies: number[] = [];
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
      const limit = 1 + (round % LIMITS);
      const total = await totalOf(client, watched, limit).catch((error: CommandError) => error.message);
      latencies.push(performance.now() - begin);
      if (total !== totals[place]) errors.push(`${JSON.stringify(watched)}: ${total} instead of ${totals[place]}`);
    }
  });
  await Promise.all(searching);
  latencies.sort((one, other) => one - other);
  return { searches: latencies.length, errors, latencies, totals };
}

async function totalOf(
  client: Client,
  { kind, criteria, fullTextSearch }: WatchedSearch,
  limit: number,
): Promise<number> {
  const query = new URLSearchParams({ criteria, fullTextSearch, limit: String(limit) });
  const path = `/v1/assets/${kind}?${String(query).replaceAll('+', '%20')}`;
  const answer = await client.get(path);
  if (answer.kind === 'broken') throw new CommandError(answer.reason, EXIT.unavailable);
  const total = Number(answer.headers['x-total-count']);
  const page = Array.isArray(answer.body) ? answer.body.length : -1;
  if (answer.status !== 200) {
    const reason = `${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`;
    throw new CommandError(reason, answer.status === 503 ? EXIT.unavailable : EXIT.failed);
  }
  if (page !== Math.min(limit, total)) throw new CommandError(`a page of ${page}, limit ${limit}, of ${total}`);
  return total;
}
