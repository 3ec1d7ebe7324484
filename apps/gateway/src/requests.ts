import { type IdPrefix, type Ids, MAX_KG } from '@carbon/contracts';
import { type ErrorItem, invalidRequest, MALFORMED_PAIR, queryPairs, RequestError } from '@carbon/http';
import { z } from 'zod';

/** The schema of `kgCO2e` in a body: a finite number above 0 and at most `MAX_KG`; a string is not coerced. */
export const weight = z
  .number()
  .gt(0, { error: 'must be greater than 0' })
  .max(MAX_KG, { error: `must be at most ${MAX_KG} kilograms` })
  .meta({ description: 'A weight of emissions in kilograms of CO2-equivalent.', examples: [1234.5] });

/** Returns what `read` returns. Its errors are added to `items`, so that a client gets all errors at once. */
export function collectErrors<T>(items: ErrorItem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RequestError) || error.items.length === 0) throw error;
    items.push(...error.items);
    return undefined;
  }
}

const NOUNS = { off: 'offset', est: 'estimate' } as const satisfies Record<IdPrefix, string>;

/** An id in a query parameter. */
export interface IdParameter {
  readonly prefix: IdPrefix;
  readonly id: string;
  readonly account: string;
  /** The parameter's name. */
  readonly field: string;
}

/**
 * Verifies the HMAC tag in an id, so that the gateway calls no app for an id that was never issued.
 * @throws RequestError `invalid_request` if it is not an id, `not_found` if it was not issued to the account
 */
export function requireIssuedId(ids: Ids, { prefix, id, account, field }: IdParameter): void {
  const { verdict } = ids.read(prefix, id, account);
  if (verdict === 'issued') return;
  if (verdict === 'not-issued') throw notFound(NOUNS[prefix]);
  throw invalidId(prefix, field);
}

/** The 400 for a parameter that is not an id. */
export function invalidId(prefix: IdPrefix, field: string): RequestError {
  const detail = `must be the id of an ${NOUNS[prefix]}, ${prefix}_ and 26 characters, as returned when it was created`;
  return invalidRequest([{ field, code: 'invalid_parameter', detail }]);
}

/** The 404 for an id that was not issued to the account. */
export function notFound(noun: string): RequestError {
  return new RequestError('not_found', `There is no ${noun} with this id.`);
}

/**
 * Returns the query of a raw URL, with its "?", to be forwarded: the upstream app parses the parameters.
 * @throws RequestError `invalid_request` for a query that cannot be decoded at all
 */
export function rawQuery(rawUrl: string): string {
  const start = rawUrl.indexOf('?');
  if (start === -1) return '';
  const items = queryPairs(rawUrl)
    .filter(({ isMalformed }) => isMalformed)
    .map(({ name }): ErrorItem => ({ field: name.slice(0, 64), code: 'invalid_parameter', detail: MALFORMED_PAIR }));
  if (items.length > 0) throw invalidRequest(items);
  return rawUrl.slice(start);
}
