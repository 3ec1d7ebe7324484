import type { IncomingMessage } from 'node:http';
import { invalidRequest, singleHeader } from '@carbon/http';

const NAME = 'Idempotency-Key';

/** 1 to 255 of the visible ASCII characters: what every client and proxy passes on unchanged. */
const FORM = /^[!-~]{1,255}$/;

/** The `Idempotency-Key` of a request. Throws `invalid_request` when it is sent twice or has not the form. */
export function idempotencyKey(request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string | undefined {
  if (request.headers['idempotency-key'] === undefined) return undefined;
  const key = singleHeader(request, NAME);
  if (key === undefined || FORM.test(key)) return key;
  const detail = 'must be 1 to 255 visible ASCII characters, without spaces';
  throw invalidRequest([{ field: NAME, code: 'invalid_header', detail }]);
}
