import type { IncomingMessage } from 'node:http';
import { type OffsetRequest, plainText } from '@carbon/contracts';
import {
  checkBody,
  type ErrorItem,
  invalidRequest,
  type RequestError,
  readParameters,
  singleHeader,
} from '@carbon/http';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { collectErrors, weight } from '../requests.js';

/** An estimate id or customer reference: 1 to 256 characters without control characters, stored unchanged. */
const reference = plainText(1, 256);

/** The body of `POST /v1/offsets`. Nothing is coerced; null and unknown members are errors. */
export const offsetRequestBody = z.strictObject({
  kgCO2e: weight,
  estimateId: reference.optional().meta({
    description:
      'The id of one of your estimates: the credits are retired at its prices. The offset fails if the estimate has expired, is for another weight, or has been used.',
  }),
  customerRef: reference
    .optional()
    .meta({ description: 'Your own reference for the customer, such as a user id; stored as it is.' }),
});

/** The 400 for an `estimateId` that is malformed or belongs to another account: the same for both, so that it does not reveal which. */
export function invalidEstimateId(): RequestError {
  const detail =
    'must be the id of an estimate of this account, est_ and 26 characters, as returned when it was created';
  return invalidRequest([{ field: 'estimateId', pointer: '/estimateId', code: 'invalid_field', detail }]);
}

/** The form of an `Idempotency-Key`: 1 to 255 visible ASCII characters, which every client and proxy passes on unchanged. */
export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;
const HEADER = 'Idempotency-Key';

/**
 * Returns the `Idempotency-Key` of a request. Throws `invalid_request` when it is sent twice, does not have the form, or is
 * required and missing.
 */
export function idempotencyKey(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>,
  isRequired = false,
): string | undefined {
  const isSent = request.headers['idempotency-key'] !== undefined;
  const key = isSent ? singleHeader(request, HEADER) : undefined;
  if (key === undefined ? !isRequired : IDEMPOTENCY_KEY.test(key)) return key;
  const form = 'must be 1 to 255 visible ASCII characters, without spaces';
  const detail = isSent ? form : `is missing, and this gateway or this API key requires it; it ${form}`;
  throw invalidRequest([{ field: HEADER, code: 'invalid_header', detail }]);
}

/** The parsed body and idempotency key of a `POST /v1/offsets`. */
export interface ParsedOffsetRequest {
  readonly request: OffsetRequest;
  readonly key: string | undefined;
}

/**
 * Reads `POST /v1/offsets`. Throws `invalid_request` with the errors of query, headers and body together.
 * @param isKeyRequired whether a request without an `Idempotency-Key` is an error
 */
export function readOffsetRequest(
  { raw, body }: Pick<FastifyRequest, 'raw' | 'body'>,
  isKeyRequired: boolean,
): ParsedOffsetRequest {
  const items: ErrorItem[] = [];
  const url = raw.url ?? '';
  if (url.includes('?')) collectErrors(items, () => readParameters(url, {}));
  const key = collectErrors(items, () => idempotencyKey(raw, isKeyRequired));
  const request = collectErrors(items, () => checkBody(offsetRequestBody, body));
  if (request === undefined || items.length > 0) throw invalidRequest(items);
  return { request, key };
}
