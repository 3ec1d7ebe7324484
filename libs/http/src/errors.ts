import { distance } from 'fastest-levenshtein';

/**
 * Every problem a client can receive: its code, HTTP status and title (RFC 9457). The `type` of the problem is
 * `/problems/<code>`.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_criteria: { status: 400, title: 'Invalid criteria' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  unauthorized: { status: 401, title: 'Missing or invalid API key' },
  forbidden: { status: 403, title: 'The API key lacks the required scope' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  request_timeout: { status: 408, title: 'Request timeout' },
  insufficient_supply: { status: 409, title: 'Not enough credits are available' },
  payload_too_large: { status: 413, title: 'Request body too large' },
  uri_too_long: { status: 414, title: 'URL too long' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused with a different request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  header_too_large: { status: 431, title: 'Request headers too large' },
  internal_error: { status: 500, title: 'Internal server error' },
  service_unavailable: { status: 503, title: 'Service temporarily unavailable' },
  not_accepted: { status: 503, title: 'The offset was not accepted' },
  outcome_unknown: { status: 503, title: 'It is unknown whether the offset was accepted' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly title: string }>>;

/** A code of {@link PROBLEMS}. */
export type ProblemCode = keyof typeof PROBLEMS;
/** The codes of temporary errors: the same request may succeed later. */
export type TransientErrorCode = 'service_unavailable' | 'not_accepted' | 'outcome_unknown';
/** The codes of errors the caller caused: the same request fails again. */
export type RequestErrorCode = Exclude<ProblemCode, TransientErrorCode | 'internal_error'>;

/** The codes of the items in `errors`, besides those of the criteria language. */
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

/** One error of a request: where it is (`field`), what it is (`code`) and how to fix it (`detail`). */
export interface ErrorItem {
  /** The parameter, header or body field; '' for the whole request. */
  readonly field: string;
  /** One of ITEM_CODES, or a code of the criteria language in lower snake case. */
  readonly code: string;
  readonly detail: string;
  /** A JSON pointer (RFC 6901) into the body. */
  readonly pointer?: string;
  /** The likely intended name or value. */
  readonly suggestion?: string;
  readonly hint?: string;
  /** The position in the criteria, in UTF-16 code units from 0. */
  readonly position?: number;
  readonly length?: number;
  readonly expected?: readonly string[];
  readonly expectedType?: string;
  readonly allowed?: readonly string[];
  /** The change that removes the error: replace `length` UTF-16 code units from `position` of the criteria with `text`. */
  readonly rewrite?: { readonly position: number; readonly length: number; readonly text: string };
}

/** What an error carries besides its code and its detail. */
export interface ApiErrorOptions {
  /** At most ten items; see `invalidRequest`. */
  readonly items?: readonly ErrorItem[];
  /** Further members of the problem document, such as `retryKey` or `snippet`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Further headers of the response, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The inner error: logged, never shown to a client. */
  readonly cause?: unknown;
}

/**
 * An error that clients may see. `detail` is public: it says how to fix the error and reveals no internals, which
 * belong into `cause`. Any thrown value that is not an ApiError is a bug.
 */
export abstract class ApiError extends Error {
  readonly items: readonly ErrorItem[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    { items = [], members = {}, headers = {}, cause }: ApiErrorOptions = {},
  ) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.items = items;
    this.members = members;
    this.headers = headers;
  }
}

/** An error that the caller caused: a 4xx response, never retried. */
export class RequestError extends ApiError {
  constructor(code: RequestErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(code, detail, options);
  }
}

/** A temporary error: 503 with `Retry-After` over HTTP; a consumer waits and retries the same message. */
export class TransientError extends ApiError {
  constructor(code: TransientErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(code, detail, options);
  }
}

/** The maximum number of items in one response. */
export const MAX_ERROR_ITEMS = 10;

/** Returns one error for all the items of a request. */
export function invalidRequest(items: readonly ErrorItem[]): RequestError {
  return new RequestError('invalid_request', errorSummary(items), { items: items.slice(0, MAX_ERROR_ITEMS) });
}

/** Returns the text of the first item and the number of the others, as the detail of an error. */
export function errorSummary([first, ...others]: readonly ErrorItem[]): string {
  if (first === undefined) return 'The request is not valid.';
  const detail = first.field === '' ? first.detail : `${first.field}: ${first.detail}`;
  if (others.length === 0) return detail;
  const rest = `and ${others.length} more ${others.length === 1 ? 'error' : 'errors'}`;
  return `${detail} (${rest}${others.length >= MAX_ERROR_ITEMS ? `; errors lists the first ${MAX_ERROR_ITEMS}` : ''})`;
}

/** Longer names are not compared: the cost grows with the square, and a name of this length is not a typing error. */
const MAX_COMPARED_LENGTH = 64;

/**
 * Returns the likely intended name: equal but for case, else the nearest within two edits (one for names of up to four
 * letters); undefined when none is that close.
 */
export function suggestionFor(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const near = names
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= (Math.min(candidate.length, name.length) <= 4 ? 1 : 2))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.candidate;
}
