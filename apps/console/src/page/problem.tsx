import { CarbonError, ProblemError } from '@carbon/client';

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

/** An error in words, with what is needed to ask for help about it. */
export function Problem({ error, retry }: { readonly error: Error; readonly retry?: (() => void) | undefined }) {
  const known = error instanceof CarbonError ? error : undefined;
  const headline = HEADLINES[known?.code ?? ''] ?? (known === undefined ? 'This page failed.' : known.detail);
  const detail = known?.detail ?? error.message;
  const items = known?.errors ?? [];
  return (
    <div className="problem" role="alert">
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
      {known?.retryAfter !== undefined && <p>Try again in {known.retryAfter} s.</p>}
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
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </div>
  );
}
