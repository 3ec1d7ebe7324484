import { Cursors, nextAddress } from '@carbon/http';
import { randomFrom } from '../library/random.js';
import type { LoadRequest } from '../load/load.js';
import { ACCOUNT, customerOf, ESTIMATE, idOf, PER_CUSTOMER, timeOf } from './offset-store.js';

/** Something that is asked of a store, of any size alike. */
export interface ListQuestion {
  readonly what: string;
  /** How many offsets each answer has; a page has 20. */
  readonly answer: number;
  readonly requests: readonly LoadRequest[];
}

type Filters = Readonly<Record<string, string>>;

const ROUTE = '/v1/offsets';
const SEED = 11;
/** So many different ones of each kind, so that not always the same rows are read. */
const REQUESTS = 5_000;
const HOUR = 3_600;

const hourBefore = (n: number) => ({ createdFrom: timeOf(Math.max(0, n - HOUR)), createdTo: timeOf(n) });

/**
 * The questions to a store of so many offsets.
 * @param cursorSecrets those of the service; the place in the middle of a list is then known without walking there
 * @param headers what its gateway asks with, for the account of the store
 */
export function listQuestions(
  offsets: number,
  cursorSecrets: readonly string[],
  headers: Readonly<Record<string, string>>,
): ListQuestion[] {
  const cursors = new Cursors(cursorSecrets);
  const random = randomFrom(SEED);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least));
  /** Somewhere in the middle three fifths: far from either end of the list. */
  const middle = () => whole(Math.floor(offsets / 5), Math.floor((offsets * 4) / 5));
  const requests = (path: () => string): LoadRequest[] =>
    Array.from({ length: REQUESTS }, () => ({ method: 'GET', path: path(), headers }));
  const page = (filters: Filters, n?: number) => {
    if (n === undefined) return nextAddress(ROUTE, filters);
    const scope = { route: ROUTE, account: ACCOUNT, parameters: filters };
    return nextAddress(ROUTE, { ...filters, cursor: cursors.write([timeOf(n), idOf(n)], scope) });
  };
  const both = (what: string, filters: () => Filters): ListQuestion[] => [
    { what: `${what}, first page`, answer: 20, requests: requests(() => page(filters())) },
    { what: `${what}, deep in the list`, answer: 20, requests: requests(() => page(filters(), middle())) },
  ];
  const customer = () => customerOf(whole(0, offsets / PER_CUSTOMER), offsets);
  return [
    { what: 'read one', answer: 1, requests: requests(() => `${ROUTE}?id=${idOf(whole(1, offsets))}`) },
    ...both('list', () => ({})),
    ...both('list by status', () => ({ status: 'failed' })),
    ...both('list by customerRef', () => ({ customerRef: customer() })),
    ...both('list by estimateId', () => ({ estimateId: ESTIMATE })),
    { what: 'list by createdFrom and createdTo', answer: 20, requests: requests(() => page(hourBefore(middle()))) },
    ...both('list by status and estimateId', () => ({ status: 'failed', estimateId: ESTIMATE })),
    {
      what: 'list by status and customerRef, of which there is none',
      answer: 0,
      requests: requests(() => page({ status: 'completed', customerRef: customerOf(0, offsets) })),
    },
  ];
}
