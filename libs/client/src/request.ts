import type { paths } from './generated/api.js';

/** A value of a query; undefined ones are omitted. */
export type QueryValue = string | number | undefined;

/** One request of the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: keyof paths;
  /** Parameters, or the query string of a `Link` header, unchanged. */
  readonly query?: Readonly<Record<string, QueryValue>> | string | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Makes a retry of this POST safe. */
  readonly idempotencyKey?: string | undefined;
  /** The status codes that mean success. */
  readonly expectedStatuses: readonly number[];
}

/** @throws RangeError for NaN and infinity, which JSON would send as `null` */
export function checkNumbers({ query, body }: ApiRequest): void {
  for (const [name, value] of [query, body].flatMap((given) =>
    Object.entries(typeof given === 'object' ? given : {}),
  )) {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new RangeError(`${name} must be a number, not ${value}`);
  }
}

/** Returns the query of the URL with its `?`; '' if there is none. */
export function queryString(query: ApiRequest['query']): string {
  if (typeof query === 'string') return query;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) parameters.append(name, `${value}`);
  return `${parameters}` === '' ? '' : `?${parameters}`;
}

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * Returns the idempotency key of a POST: the caller's, else 128 random bits. Browsers provide `randomUUID` only in secure
 * contexts.
 *
 * @throws RangeError for an invalid key; TypeError for an API key, which must not appear in logs
 */
export function idempotencyKey(given?: string): string {
  if (given?.includes('cl_live_')) throw new TypeError('an API key is not an idempotency key; pass it as `key`');
  if (given !== undefined && !KEY_PATTERN.test(given)) {
    throw new RangeError('an idempotency key must be 1 to 255 visible ASCII characters without spaces');
  }
  return given ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), toHex).join('');
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
