import { CarbonError, NetworkError, ProblemError, TimedOutError } from '@carbon/client';
import { Countdown } from './countdown.js';

/** What went wrong in the words of somebody who did not cause it; other codes have the service's own sentence. */
const HEADLINES: Readonly<Record<string, string>> = {
  network_failure: 'The service cannot be reached.',
  timed_out: 'The service did not respond in time.',
  unexpected_answer: 'Something else answered in place of the service.',
  rate_limited: 'Too many requests in a short time.',
  service_unavailable: 'The service is not available at the moment.',
  not_accepted: 'The service accepts no offsets at the moment: nothing was recorded.',
  outcome_unknown: 'It is unknown whether the offset was accepted. Trying again is safe: there will be one.',
  internal_error: 'The service failed.',
  insufficient_supply: 'There are not enough credits.',
  invalid_request: 'The service refuses this.',
  invalid_cursor: 'The list changed its order: start it again.',
  forbidden: 'Your key does not allow this.',
  not_found: 'There is no such thing in your account.',
};

/** Not sooner, whatever the service says: a try may be several requests. */
const MIN_WAIT_S = 5;
/** Where the service says nothing, for it does not respond. */
const USUAL_WAIT_S = 10;

interface Props {
  readonly error: Error;
  readonly retry?: (() => unknown) | undefined;
  /** Whether it is tried again only on request, because a try is more than a look. */
  readonly isManual?: boolean;
}

/** An error in words, with what is needed to ask for help about it. What is over after a while is tried again by itself. */
export function Problem({ error, retry, isManual = retry === undefined }: Props) {
  const known = error instanceof CarbonError ? error : undefined;
  const wait = waitOf(error);
  return (
    <div className="problem">
      <Words error={error} />
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
        {wait !== undefined && (
          <Countdown error={error} seconds={wait} onElapsed={isManual ? undefined : () => void retry?.()} />
        )}
      </p>
    </div>
  );
}

/** The seconds after which the same may succeed; undefined for an error that stays. */
function waitOf(error: Error): number | undefined {
  if (error instanceof NetworkError || error instanceof TimedOutError) return USUAL_WAIT_S;
  const after = error instanceof CarbonError ? error.retryAfter : undefined;
  return after === undefined ? undefined : Math.max(MIN_WAIT_S, after);
}

function Words({ error }: { readonly error: Error }) {
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
