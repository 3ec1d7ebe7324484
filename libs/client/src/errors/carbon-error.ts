/** One mistake of a request: where it is (`field`), what it is (`code`), what to do about it (`detail`). */
export interface ErrorItem {
  /** The parameter, header or body field; '' for the whole. */
  readonly field: string;
  readonly code: string;
  readonly detail: string;
  /** Where in the body: a JSON pointer (RFC 6901). */
  readonly pointer?: string;
  /** The likely intended name or value. */
  readonly suggestion?: string;
  readonly hint?: string;
  /** Where in the criteria, in UTF-16 units from 0. */
  readonly position?: number;
  readonly length?: number;
  readonly expected?: readonly string[];
  readonly expectedType?: string;
  readonly allowed?: readonly string[];
}

/** What an error knows beside its code and its sentence. */
export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly errors?: readonly ErrorItem[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly retryKey?: string | undefined;
  readonly snippet?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Anything that keeps the service from doing what it was asked. Programs go by the class or by `code`; `detail` is for
 * people. It never holds the key.
 */
export class CarbonError<Code extends string = string> extends Error {
  override readonly name: string = 'CarbonError';
  readonly code: Code;
  /** What to do about it. */
  readonly detail: string;
  /** The HTTP status; absent when no whole answer came. */
  readonly status: number | undefined;
  /** The service's name for the request, for whoever runs it. */
  readonly requestId: string | undefined;
  /** The single mistakes, at most ten; empty when there is nothing to point at. */
  readonly errors: readonly ErrorItem[];
  /** Seconds after which the same request may succeed, where the service said so. */
  readonly retryAfter: number | undefined;
  /** The idempotency key under which asking again is safe: of a request that creates an offset. */
  readonly retryKey: string | undefined;
  /** The criteria with carets under each mistake, where they are what is wrong. */
  readonly snippet: string | undefined;

  constructor(code: Code, detail: string, facts: ErrorFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.detail = detail;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.errors = facts.errors ?? [];
    this.retryAfter = facts.retryAfter;
    this.retryKey = facts.retryKey;
    this.snippet = facts.snippet;
  }
}
