/** Where the service is, who asks, and how patiently. */
export interface ClientOptions {
  /** The URL of the service, such as `https://carbon.example`; what stands before `/v1` belongs to it. */
  readonly baseUrl: string | URL;
  /** The account's key; sent as a header, and found in no URL and no error. */
  readonly key?: string;
  /** Another `fetch` than the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** How long one try may take, in ms: 10,000 unless given. The service takes at most 5,500 to accept an offset. */
  readonly tryMs?: number;
  /** How long a call may take with all its tries and the waits between them, in ms: 60,000 unless given. */
  readonly timeoutMs?: number;
  /** How many tries a call may have: 5 unless given; 1 never asks again. */
  readonly tries?: number;
}

/** What one call may be given beside what it asks; anything left out is as the client was made. */
export interface CallOptions {
  /** Ends the call with the signal's reason, whatever it is about. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take, in ms. */
  readonly tryMs?: number | undefined;
  /** How long the call may take with all its tries, in ms. */
  readonly timeoutMs?: number | undefined;
  /** How many tries the call may have. */
  readonly tries?: number | undefined;
}

/** How patient a call is. */
export interface Patience {
  readonly tryMs: number;
  readonly timeoutMs: number;
  readonly tries: number;
}

const DEFAULTS: Patience = { tryMs: 10_000, timeoutMs: 60_000, tries: 5 };
/** A timer for longer than this would ring at once. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * What is given, else what was given before, else the default.
 *
 * @throws RangeError for times and counts that are none
 */
export function patienceOf(call: CallOptions = {}, before: Patience = DEFAULTS): Patience {
  return {
    tryMs: within('tryMs', call.tryMs ?? before.tryMs, LONGEST_MS),
    timeoutMs: within('timeoutMs', call.timeoutMs ?? before.timeoutMs, LONGEST_MS),
    tries: within('tries', call.tries ?? before.tries, Number.MAX_SAFE_INTEGER),
  };
}

function within(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new RangeError(`${name} must be an integer from 1 to ${most}, not ${value}`);
}
