/**
 * Everything that can go wrong as a client sees it: the code, the HTTP status and the title of its problem document
 * (RFC 9457). The code is the last step of the problem's `type`, `/problems/<code>`.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_criteria: { status: 400, title: 'The criteria cannot be understood' },
  invalid_cursor: { status: 400, title: 'The cursor does not fit this request' },
  unauthorized: { status: 401, title: 'A valid key is needed' },
  forbidden: { status: 403, title: 'The key does not allow this' },
  not_found: { status: 404, title: 'There is nothing here' },
  method_not_allowed: { status: 405, title: 'The method does not apply here' },
  not_acceptable: { status: 406, title: 'No acceptable representation' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  insufficient_supply: { status: 409, title: 'Not enough credits are available' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  uri_too_long: { status: 414, title: 'The URL is too long' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another body' },
  rate_limited: { status: 429, title: 'Too many requests' },
  header_too_large: { status: 431, title: 'The head of the request is too large' },
  internal_error: { status: 500, title: 'Something broke on our side' },
  service_unavailable: { status: 503, title: 'Not available for the moment' },
  not_accepted: { status: 503, title: 'The offset was not accepted' },
  outcome_unknown: { status: 503, title: 'It is not known whether the offset was accepted' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

/** A code of {@link PROBLEMS}. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The codes that blame a passing trouble: the same request may succeed later. */
export type TransientErrorCode = 'service_unavailable' | 'not_accepted' | 'outcome_unknown';

/** The codes that blame the caller: the same request will fail again. */
export type RequestErrorCode = Exclude<ProblemCode, TransientErrorCode | 'internal_error'>;

/** The codes of single mistakes inside `errors`; those of criteria come from the criteria language. */
export const ITEM_CODES = [
  'missing_parameter',
  'duplicate_parameter',
  'unknown_parameter',
  'invalid_parameter',
  'missing_field',
  'unknown_field',
  'invalid_field',
  'duplicate_header',
  'invalid_header',
] as const;

/** A code of {@link ITEM_CODES}. */
export type ItemCode = (typeof ITEM_CODES)[number];
