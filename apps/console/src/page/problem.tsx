import { CarbonError, NetworkError, ProblemError, TimedOutError } from '@carbon/client';
import { Countdown } from './countdown.js';

/** Headlines by error code. For any other code, the headline is the error's own `detail`. */
const HEADLINES: Readonly<Record<string, string>> = {
  network_failure: 'The service cannot be reached.',
  timed_out: 'The service did not respond in time.',
  unexpected_answer: 'The response did not come from the service.',
  rate_limited: 'Too many requests in a short time.',
  service_unavailable: 'The service is not available at the moment.',
  not_accepted: 'The service accepts no offsets at the moment: nothing was recorded.',
  outcome_unknown:
    'It is unknown whether the offset was accepted. Trying again is safe: it cannot create a second one.',
  internal_error: 'The service failed.',
  insufficient_supply: 'There are not enough credits.',
  invalid_request: 'The request is not valid.',
  invalid_cursor: 'The list cannot be continued. Load it again from the start.',
  forbidden: 'Your key does not allow this.',
  not_found: 'Your account has no such item.',
};

/** The minimum wait before a retry, even if `Retry-After` is shorter, because one retry may send several requests. */
const MIN_WAIT_S = 5;
/** The wait when the service does not respond, so that there is no `Retry-After`. */
const DEFAULT_WAIT_S = 10;

interface Props {
  readonly error: Error;
  readonly retry?: (() => unknown) | undefined;
  /** Whether only the user may retry: a retry changes data, or the view retries by itself. */
  readonly isManual?: boolean;
  /** Whether to count down to a later try; not if none is possible. */
  readonly hasCountdown?: boolean;
}

/**
 * Shows an error, its request id and a link to its documentation. Retries a transient error after a countdown, unless
 * `isManual`.
 */
export function Problem({ error, retry, isManual = retry === undefined, hasCountdown = true }: Props) {
  const known = error instanceof CarbonError ? error : undefined;
  const wait = waitOf(error);
  return (
    <div className="problem">
      <ErrorMessage error={error} />
      <p className="facts">
        {known?.requestId !== undefined && (
          <span>
            Request <code>{known.requestId}</code>
          </span>
        )}
        {known instanceof ProblemError && (
          <a href={`/problems/${known.code}`} target="_blank" rel="noreferrer">
            About {known.code}
          </a>
        )}
        {retry !== undefined && (
          <button type="button" onClick={() => void retry()}>
            Try again
          </button>
        )}
        {hasCountdown && wait !== undefined && (
          <Countdown error={error} seconds={wait} onElapsed={isManual ? undefined : () => void retry?.()} />
        )}
      </p>
    </div>
  );
}

/** The seconds after which the same may succeed; undefined for an error that stays. */
function waitOf(error: Error): number | undefined {
  if (error instanceof NetworkError || error instanceof TimedOutError) return DEFAULT_WAIT_S;
  const after = error instanceof CarbonError ? error.retryAfter : undefined;
  return after === undefined ? undefined : Math.max(MIN_WAIT_S, after);
}

function ErrorMessage({ error }: { readonly error: Error }) {
  const known = error instanceof CarbonError ? error : undefined;
  const headline = HEADLINES[known?.code ?? ''] ?? (known === undefined ? 'This page failed.' : known.detail);
  const detail = known?.detail ?? error.message;
  const items = known?.errors ?? [];
  return (
    <div role="alert">
      <p>
        <strong>{headline}</strong>
      </p>
      {items.length === 0 && detail !== headline && <p>{detail}</p>}
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={`${item.field} ${item.position} ${item.code}`}>
              {item.field !== '' && <b>{item.field}: </b>}
              {item.detail}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
