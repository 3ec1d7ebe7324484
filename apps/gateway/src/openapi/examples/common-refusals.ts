import { fieldsOf } from '@carbon/contracts';
import type { ProblemCode } from '@carbon/http';
import { got, posted, type Refused } from './refused.js';

/** An example of each refusal that is the same at every address it can be had from. */
export const COMMON_REFUSALS: Readonly<Record<Exclude<ProblemCode, 'invalid_request'>, Refused>> = {
  invalid_json: {
    code: 'invalid_json',
    summary: 'A comma too many',
    asked: posted('/v1/offsets', '{"kgCO2e": 1234.5,}'),
    detail: 'The body is not valid JSON at line 1, column 19: expected a key in double quotes, found "}".',
  },
  invalid_criteria: {
    code: 'invalid_criteria',
    summary: 'A field that is misspelt',
    asked: got('/v1/assets/pools?criteria=tiker%3ABCT%20and%20rating%20%3E%3D%204&fullTextSearch='),
    detail: 'criteria: unknown field "tiker"',
    more: {
      snippet: 'tiker:BCT and rating >= 4\n^^^^^',
      errors: [
        {
          field: 'criteria',
          code: 'unknown_field',
          detail: 'unknown field "tiker"',
          position: 0,
          length: 5,
          suggestion: 'ticker',
          allowed: fieldsOf('POOL'),
        },
      ],
    },
  },
  invalid_cursor: {
    code: 'invalid_cursor',
    summary: 'A cursor that was not given by the service',
    asked: got('/v1/offsets?cursor=second-page'),
    detail:
      'This cursor belongs to a different query; only `limit` may change between pages. Follow the whole `next` link, or start again without `cursor`.',
  },
  unauthorized: {
    code: 'unauthorized',
    summary: 'No key, or none that is valid',
    detail:
      'Send a valid key, once, as "Authorization: Bearer <key>" or as "X-API-Key: <key>". It may be mistyped, expired or revoked.',
  },
  forbidden: {
    code: 'forbidden',
    summary: 'A key without the scope',
    detail: 'This key lacks the scope offsets:write. Use one that has it, or ask for one.',
  },
  not_found: {
    code: 'not_found',
    summary: 'An id that was not given by the service',
    asked: got('/v1/offsets?id=off_00000000000000000000000000'),
    detail: 'There is no offset with this id.',
  },
  method_not_allowed: {
    code: 'method_not_allowed',
    summary: 'An offset cannot be deleted',
    asked: { method: 'DELETE', path: '/v1/offsets' },
    detail: 'This URL does not support DELETE. Allowed methods: GET, HEAD, OPTIONS, POST.',
  },
  not_acceptable: {
    code: 'not_acceptable',
    summary: 'Only a page will do',
    asked: { ...got('/v1/assets/schema'), headers: { accept: 'text/html' } },
    detail: 'Responses are JSON. Send "Accept: application/json" or omit the header.',
  },
  request_timeout: {
    code: 'request_timeout',
    summary: 'A body that stops halfway',
    detail: 'The request did not arrive in time. Send it again.',
  },
  insufficient_supply: {
    code: 'insufficient_supply',
    summary: 'More than there is',
    asked: posted('/v1/estimates', '{"kgCO2e": 1000000000000}'),
    detail: 'Fewer credits are available than this needs. Ask for less, or again later.',
  },
  payload_too_large: {
    code: 'payload_too_large',
    summary: 'A body of more than 16 KiB',
    detail: 'The body exceeds the size limit. Send a smaller body.',
  },
  uri_too_long: {
    code: 'uri_too_long',
    summary: 'A URL of more than 16 KiB',
    detail: 'The URL exceeds the length limit. Shorten its parameters.',
  },
  unsupported_media_type: {
    code: 'unsupported_media_type',
    summary: 'A form',
    asked: {
      method: 'POST',
      path: '/v1/offsets',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'kgCO2e=1234.5',
    },
    detail: 'Send the body as "Content-Type: application/json", in UTF-8 and not compressed.',
  },
  idempotency_key_reused: {
    code: 'idempotency_key_reused',
    summary: 'The same key with another weight',
    detail:
      'This Idempotency-Key was used with another body, and the first request stands. Use a new key for a new offset, and the same body for a retry.',
  },
  rate_limited: {
    code: 'rate_limited',
    summary: 'More than the plan allows',
    detail:
      'The plan "small" of this key allows 5 requests a second on average and 20 at once. Wait for the seconds that Retry-After says, then go on more slowly; RateLimit tells what is left.',
  },
  header_too_large: {
    code: 'header_too_large',
    summary: 'A head of more than 24 KiB',
    detail: 'The request headers exceed the size limit. Send fewer or shorter headers.',
  },
  internal_error: {
    code: 'internal_error',
    summary: 'A mistake of ours',
    detail: 'An unexpected error occurred and was logged. Try again; if it persists, report the request id.',
  },
  service_unavailable: {
    code: 'service_unavailable',
    summary: 'What would answer cannot be reached',
    detail: 'The offsets service does not answer for the moment. Try again shortly.',
  },
  not_accepted: {
    code: 'not_accepted',
    summary: 'Nothing was recorded',
    detail: 'Nothing was recorded. Send the same body again, with retryKey as the Idempotency-Key.',
    more: { retryKey: 'order-4711' },
  },
  outcome_unknown: {
    code: 'outcome_unknown',
    summary: 'Recorded perhaps',
    detail:
      'The offset may have been recorded. Send the same body again, with retryKey as the Idempotency-Key: that cannot make a second one.',
    more: { retryKey: 'order-4711' },
  },
};
