import { OFFSET_STATUSES } from '@carbon/contracts';
import { firstMillisecondFrom } from './instant.js';
import type { Filters } from './list-parameters.js';

/** A place in the order of the list. */
export interface ListPlace {
  /** RFC 3339, or what PostgreSQL takes for a time beyond all others. */
  readonly createdAt: string;
  readonly id: string;
}

/** Which offsets a page holds: the newest of an account that pass the filters, behind `after` where it is given. */
export interface PageQuestion {
  readonly account: string;
  readonly filters: Filters;
  readonly after: ListPlace | undefined;
  readonly limit: number;
}

/** A statement and its parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The leading columns of an index with what is looked for in each; `created_at` and `id` follow. */
type Key = readonly (readonly [column: string, value: string])[];

/**
 * The statement that reads a page. For each set of filters there is an index that ends in the order of the list, so a page
 * is a stretch of that index and nothing else is read, however rare or common what is looked for. In the indices by
 * reference the status stands before the date: where it does not matter, a page is made of a stretch for each.
 */
export function pageStatement({ account, filters, after, limit }: PageQuestion): Statement {
  const { status, customerRef, estimateId, createdFrom, createdTo } = filters;
  const key: Key = [
    ['account', account],
    ...(estimateId === undefined ? [] : [['estimate_id', estimateId] as const]),
    ...(customerRef === undefined ? [] : [['customer_ref', customerRef] as const]),
    ...(status === undefined ? [] : [['status', status] as const]),
  ];
  const isWhole = status !== undefined || key.length === 1;
  const keys = isWhole ? [key] : OFFSET_STATUSES.map((each): Key => [...key, ['status', each]]);
  const from = { createdAt: createdFrom === undefined ? '-infinity' : firstMillisecondFrom(createdFrom), id: '' };
  const to = { createdAt: createdTo === undefined ? 'infinity' : firstMillisecondFrom(createdTo), id: '' };
  const parameters: unknown[] = [];
  const stretches = keys.map((each) => stretch(each, [from, after ?? to], limit, parameters));
  return { sql: stretches.length === 1 ? stretches.join() : newestOf(stretches, limit), parameters };
}

/**
 * The last rows of an index between two places, the second excluded. The comparison of whole keys and the order by all
 * their columns leave PostgreSQL no choice: with `account = …` it may, by its statistics, prefer another index and read on
 * until enough rows happen to pass the other conditions, however many that takes.
 */
function stretch(key: Key, [from, to]: readonly [ListPlace, ListPlace], limit: number, parameters: unknown[]): string {
  const columns = [...key.map(([column]) => column), 'created_at', 'id'];
  const placeholders = ({ createdAt, id }: ListPlace) =>
    [...key.map(([, value]) => value), createdAt, id].map((value) => `$${parameters.push(value)}`).join(', ');
  const conditions = [
    `(${columns.join(', ')}) >= (${placeholders(from)})`,
    `(${columns.join(', ')}) < (${placeholders(to)})`,
    // What makes the partial indices fit.
    ...columns.filter((column) => column in OPTIONAL).map((column) => `${column} IS NOT NULL`),
  ];
  const order = columns.map((column) => `${column} DESC`);
  return `SELECT * FROM offsets WHERE ${conditions.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT ${limit}`;
}

const OPTIONAL = { estimate_id: true, customer_ref: true } as const;

function newestOf(stretches: readonly string[], limit: number): string {
  const all = stretches.map((each) => `(${each})`).join(' UNION ALL ');
  return `SELECT * FROM (${all}) AS offsets ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
}
