import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '../api-error.js';

/**
 * A header that may be sent at most once. Node keeps the first of some repeated headers and joins others with commas, so
 * the raw ones are looked at. Throws `invalid_request` (`duplicate_header`) when it is there twice.
 */
export function singleHeader(request: Pick<IncomingMessage, 'rawHeaders'>, name: string): string | undefined {
  const values = request.rawHeaders.filter((_, index, raw) => {
    return index % 2 === 1 && raw[index - 1]?.toLowerCase() === name.toLowerCase();
  });
  if (values.length <= 1) return values[0];
  throw invalidRequest([{ field: name, code: 'duplicate_header', detail: 'is sent more than once; send it once' }]);
}
