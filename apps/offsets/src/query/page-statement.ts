import { type OFFSET_FILTERS, OFFSET_STATUSES } from '@carbon/contracts';
import type { Parameters } from '@carbon/http';
import type { ComposedStatement } from '../persistence/own-rows.js';
import { OFFSET_LINES, VIEW_COLUMNS } from './offset-view.js';

/** The filters of the list; an offset must match all of them. Times as the client sent them. */
export type Filters = Parameters<typeof OFFSET_FILTERS>;

/** A place in the order of the list. */
export interface ListPlace {
  /** RFC 3339, or `infinity` and `-infinity` as in PostgreSQL. */
  readonly createdAt: string;
  readonly id: string;
}

/** Selects the newest `limit` offsets of an account that match the filters, behind `after`. */
export interface PageSelection {
  readonly account: string;
  readonly filters: Filters;
  readonly after: ListPlace | undefined;
  readonly limit: number;
}

/** SQL that selects offsets, and its parameters. */
export type PageStatement = Omit<ComposedStatement, 'order'>;

/** The leading columns of an index and the value of each; `created_at` and `id` follow. */
type KeyPrefix = readonly (readonly [column: string, value: string])[];

/** More than the ledger entries of any offset, whose event is at most 1 MiB, and more than a page has. */
export const MAX_ROWS = 6_000;
/** Columns of partial indexes. */
const OPTIONAL_COLUMNS: readonly string[] = ['estimate_id', 'customer_ref'];
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns the statement that reads the offsets of a {@link pageStatement} with their ledger entries. Whole offsets are read up to so
 * many rows.
 */
export function rowsOf({ sql, parameters }: PageStatement): ComposedStatement {
  return {
    sql: `SELECT ${VIEW_COLUMNS} FROM (${sql}) AS offsets ${OFFSET_LINES}`,
    parameters,
    order: `created_at DESC, id DESC LIMIT ${MAX_ROWS}`,
  };
}

/**
 * Returns the statement that selects the offsets of a page. Each set of filters has an index that ends in the order of the list, so a
 * page is one range of that index. In the indexes by reference the status precedes the date: without a status filter, the page is the
 * newest of one range per status.
 */
export function pageStatement({ account, filters, after, limit }: PageSelection): PageStatement {
  const { status, customerRef, estimateId, createdFrom, createdTo } = filters;
  const prefix: KeyPrefix = [
    ['account', account],
    ...(estimateId === undefined ? [] : [['estimate_id', estimateId] as const]),
    ...(customerRef === undefined ? [] : [['customer_ref', customerRef] as const]),
    ...(status === undefined ? [] : [['status', status] as const]),
  ];
  const isOneRange = status !== undefined || prefix.length === 1;
  const prefixes = isOneRange ? [prefix] : OFFSET_STATUSES.map((each): KeyPrefix => [...prefix, ['status', each]]);
  const from = { createdAt: createdFrom === undefined ? '-infinity' : firstMillisecondFrom(createdFrom), id: '' };
  const to = { createdAt: createdTo === undefined ? 'infinity' : firstMillisecondFrom(createdTo), id: '' };
  const parameters: unknown[] = [];
  const ranges = prefixes.map((each) => rangeStatement(each, [from, after ?? to], limit, parameters));
  return { sql: isOneRange ? ranges.join() : newestOf(ranges, limit), parameters };
}

/**
 * Reads the last rows of an index between two places, the second excluded. Comparing whole keys and ordering by all columns leaves
 * PostgreSQL one plan. With `account = …` its statistics may lead it to another index and to read until enough rows match.
 */
function rangeStatement(
  prefix: KeyPrefix,
  [from, to]: readonly [ListPlace, ListPlace],
  limit: number,
  parameters: unknown[],
): string {
  const columns = [...prefix.map(([column]) => column), 'created_at', 'id'];
  const placeholders = ({ createdAt, id }: ListPlace) =>
    [...prefix.map(([, value]) => value), createdAt, id].map((value) => `$${parameters.push(value)}`).join(', ');
  const conditions = [
    `(${columns.join(', ')}) >= (${placeholders(from)})`,
    `(${columns.join(', ')}) < (${placeholders(to)})`,
    ...columns.filter((column) => OPTIONAL_COLUMNS.includes(column)).map((column) => `${column} IS NOT NULL`),
  ];
  const order = columns.map((column) => `${column} DESC`);
  return `SELECT * FROM offsets WHERE ${conditions.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT ${limit}`;
}

function newestOf(ranges: readonly string[], limit: number): string {
  const all = ranges.map((each) => `(${each})`).join(' UNION ALL ');
  return `SELECT * FROM (${all}) AS offsets ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
}

/**
 * Returns the first whole millisecond that is not before an RFC 3339 time, as PostgreSQL reads it. Offsets have whole milliseconds
 * and four-digit years, so no value is between or beyond.
 */
export function firstMillisecondFrom(text: string): string {
  const wholeMs = Date.parse(text.toUpperCase());
  const rest = /\.\d{3}(\d+)/.exec(text)?.[1] ?? '';
  const ms = wholeMs + (/[1-9]/.test(rest) ? 1 : 0);
  if (ms > LAST) return 'infinity';
  return ms < FIRST ? '-infinity' : new Date(ms).toISOString();
}
