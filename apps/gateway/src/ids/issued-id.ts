import type { IdPrefix, Ids } from '@carbon/contracts';
import { invalidRequest, RequestError } from '@carbon/http';

const NOUNS = { off: 'offset', est: 'estimate' } as const satisfies Record<IdPrefix, string>;

/** An id that came in a parameter. */
export interface GivenId {
  readonly prefix: IdPrefix;
  readonly id: string;
  readonly account: string;
  /** The parameter's name. */
  readonly field: string;
}

/**
 * What an id tells by itself, so that nobody is asked about one that was never issued: its time (Unix ms), where it
 * holds one.
 * @throws RequestError `invalid_request` for what has not the form of an id, `not_found` for an id not issued to `account`
 */
export function issuedId(ids: Ids, { prefix, id, account, field }: GivenId): { readonly time?: number } {
  const reading = ids.read(prefix, id, account);
  if (reading.verdict === 'issued') return reading;
  if (reading.verdict === 'not-issued')
    throw new RequestError('not_found', `There is no ${NOUNS[prefix]} with this id.`);
  const detail = `must be the id of an ${NOUNS[prefix]}, ${prefix}_ and 26 characters, as it was given on creation`;
  throw invalidRequest([{ field, code: 'invalid_parameter', detail }]);
}
