/** One error of a request: where it is (`field`), what it is (`code`) and how to fix it (`detail`). */
export interface ErrorItem {
  /** The parameter, header or body field; '' for the whole request. */
  readonly field: string;
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

/** The members of an error besides code and detail. */
export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly errors?: readonly ErrorItem[] | undefined;
  readonly retryAfter?: number | undefined;
  readonly retryKey?: string | undefined;
  readonly snippet?: string | undefined;
  readonly cause?: unknown;
}

/** A failed call. Programs use the class or `code`; `detail` is for people. Never contains the API key. */
export class CarbonError<Code extends string = string> extends Error {
  override readonly name: string = 'CarbonError';
  readonly code: Code;
  /** How to fix it. */
  readonly detail: string;
  /** The HTTP status; undefined without a complete response. */
  readonly status: number | undefined;
  /** The id of the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** The errors of the request, at most ten. */
  readonly errors: readonly ErrorItem[];
  /** Seconds after which the same request may succeed, if the service named them. */
  readonly retryAfter: number | undefined;
  /** The idempotency key for a safe retry of a request that creates an offset. */
  readonly retryKey: string | undefined;
  /** Invalid criteria with carets under each error. */
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

/** A problem document (RFC 9457) of the service. Every code has a subclass; codes newer than the client use this class. */
export class ProblemError<Code extends string = string> extends CarbonError<Code> {
  override readonly name: string = 'ProblemError';
}

/** The connection failed or broke. It is unknown whether the service processed the request. */
export class NetworkError extends CarbonError<'network_failure'> {
  override readonly name = 'NetworkError';

  constructor(detail: string, facts?: ErrorFacts) {
    super('network_failure', detail, facts);
  }
}

/** No complete response in time. It is unknown whether the service processed the request. */
export class TimedOutError extends CarbonError<'timed_out'> {
  override readonly name = 'TimedOutError';

  constructor(detail: string, facts?: ErrorFacts) {
    super('timed_out', detail, facts);
  }
}

/** A response that is not from this service, but from a proxy or another service. */
export class UnexpectedAnswerError extends CarbonError<'unexpected_answer'> {
  override readonly name = 'UnexpectedAnswerError';

  constructor(detail: string, facts?: ErrorFacts) {
    super('unexpected_answer', detail, facts);
  }
}
