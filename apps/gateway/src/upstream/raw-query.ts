import { type ErrorItem, invalidRequest, queryPairs } from '@carbon/http';

const DETAIL = 'is not valid percent-encoded UTF-8; encode a % as %25';

/**
 * The query of a raw URL, "?" included, to be passed on as it is: the app that answers knows the parameters and reads
 * them strictly. Throws `invalid_request` for one that cannot be decoded at all.
 */
export function rawQuery(rawUrl: string): string {
  const start = rawUrl.indexOf('?');
  if (start === -1) return '';
  const items = queryPairs(rawUrl)
    .filter(({ isMalformed }) => isMalformed)
    .map(({ name }): ErrorItem => ({ field: name.slice(0, 64), code: 'invalid_parameter', detail: DETAIL }));
  if (items.length > 0) throw invalidRequest(items);
  return rawUrl.slice(start);
}
