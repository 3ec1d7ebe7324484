import type { paths } from '../generated/api.js';

/** A value of a query; one that is undefined is left out. */
export type QueryValue = string | number | undefined;

/** One request of the API. */
export interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: keyof paths;
  /** Members, or the query of a `Link` as it stands. */
  readonly query?: Readonly<Record<string, QueryValue>> | string | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What makes a retry of this POST safe. */
  readonly idempotencyKey?: string | undefined;
  /** The statuses that are a success. */
  readonly expects: readonly number[];
}

/**
 * Refuses what JSON and a query have no number for: it would go out as `null` or `NaN`.
 *
 * @throws RangeError
 */
export function refuseNoNumbers({ query, body }: Question): void {
  for (const [name, value] of [query, body].flatMap((given) =>
    Object.entries(typeof given === 'object' ? given : {}),
  )) {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new RangeError(`${name} must be a number, not ${value}`);
  }
}

/** The query as it stands in a URL, with its `?`; nothing when there is none. */
export function queryText(query: Question['query']): string {
  if (typeof query === 'string') return query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) parameters.append(name, `${value}`);
  return `${parameters}` === '' ? '' : `?${parameters}`;
}
