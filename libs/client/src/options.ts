/** The options of a client. */
export interface ClientOptions {
  /** The URL of the service, such as `https://carbon.example`: everything before `/v1`. */
  readonly baseUrl: string | URL;
  /** The account's API key, sent as a header; never in a URL or an error. */
  readonly key?: string;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** The timeout of one try in ms, default 10,000. The service takes at most 5,500 to accept an offset. */
  readonly tryMs?: number;
  /** The timeout of a call with all its tries and delays in ms, default 60,000. */
  readonly timeoutMs?: number;
  /** The maximum number of tries of a call, default 5; 1 never retries. */
  readonly tries?: number;
}

/** The options of one call; the defaults are those of the client. */
export interface CallOptions {
  /** Aborts the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The timeout of one try in ms. */
  readonly tryMs?: number | undefined;
  /** The timeout of the call with all its tries in ms. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of tries. */
  readonly tries?: number | undefined;
}

/** The timeouts and the number of tries of a call. */
export interface RetryLimits {
  readonly tryMs: number;
  readonly timeoutMs: number;
  readonly tries: number;
}

const DEFAULTS: RetryLimits = { tryMs: 10_000, timeoutMs: 60_000, tries: 5 };
/** Timers fire at once beyond this. */
const MAX_MS = 2 ** 31 - 1;

/** Returns the limits of a call, else of the client, else the defaults. @throws RangeError for invalid ones */
export function retryLimitsOf(call: CallOptions = {}, defaults: RetryLimits = DEFAULTS): RetryLimits {
  return {
    tryMs: within('tryMs', call.tryMs ?? defaults.tryMs, MAX_MS),
    timeoutMs: within('timeoutMs', call.timeoutMs ?? defaults.timeoutMs, MAX_MS),
    tries: within('tries', call.tries ?? defaults.tries, Number.MAX_SAFE_INTEGER),
  };
}

function within(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new RangeError(`${name} must be an integer from 1 to ${most}, not ${value}`);
}
