import type { ProblemCode, RequestErrorCode, TransientErrorCode } from './problem-codes.js';

/** One mistake: where it is (`field`), what it is (`code`) and what to do about it (`detail`). */
export interface ErrorItem {
  /** The parameter, header or body field; '' for the whole. */
  readonly field: string;
  /** One of ITEM_CODES, or a code of the criteria language in lower snake case. */
  readonly code: string;
  readonly detail: string;
  /** Where in the body: a JSON pointer (RFC 6901). */
  readonly pointer?: string;
  /** The likely intended name or value. */
  readonly suggestion?: string;
  readonly hint?: string;
  /** Where in the criteria, in UTF-16 code units from 0. */
  readonly position?: number;
  readonly length?: number;
  readonly expected?: readonly string[];
  readonly expectedType?: string;
  readonly allowed?: readonly string[];
}

/** What a fault may carry beside its code and its sentence. */
export interface ApiErrorOptions {
  /** The single mistakes, at most ten; see `invalidRequest`. */
  readonly items?: readonly ErrorItem[];
  /** Further members of the problem document, such as `retryKey` or `snippet`. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Further headers of the answer, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The inner error: logged, never shown to a client. */
  readonly cause?: unknown;
}

/**
 * An error that the outside may see. `detail` is the public sentence: it says what to do and holds nothing of the
 * inside; what belongs to the inside is the `cause`. Any error that is not an ApiError is a bug of ours.
 */
export abstract class ApiError extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly items: readonly ErrorItem[];
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, options: ApiErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.detail = detail;
    this.items = options.items ?? [];
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}

/** The caller's fault: a 4xx answer; never retried by us. */
export class RequestError extends ApiError {
  constructor(code: RequestErrorCode, detail: string, options: ApiErrorOptions = {}) {
    super(code, detail, options);
  }
}

/** How long a client should wait when nothing better is known. */
const RETRY_AFTER_SECONDS = 1;

/** A passing trouble: 503 with `Retry-After` over HTTP; to a consumer it says "wait and try the same message again". */
export class TransientError extends ApiError {
  readonly retryAfterSeconds: number;

  constructor(
    code: TransientErrorCode,
    detail: string,
    options: ApiErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super(code, detail, options);
    this.retryAfterSeconds = Math.max(1, Math.ceil(options.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
}

/** The most mistakes one answer lists. */
export const MAX_ERROR_ITEMS = 10;

/** All the mistakes of a request as one fault; past ten the rest is only counted. */
export function invalidRequest(items: readonly ErrorItem[]): RequestError {
  return new RequestError('invalid_request', summary(items), { items: items.slice(0, MAX_ERROR_ITEMS) });
}

function summary(items: readonly ErrorItem[]): string {
  const [first] = items;
  if (items.length === 1 && first) return first.field === '' ? first.detail : `${first.field}: ${first.detail}`;
  if (items.length <= MAX_ERROR_ITEMS)
    return `${items.length} things are wrong; each item of errors says where and what.`;
  return `${items.length} things are wrong; errors lists the first ${MAX_ERROR_ITEMS}.`;
}
