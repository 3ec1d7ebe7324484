import type { CarbonError } from '@carbon/client';
import { printable } from '@carbon/terminal';

/** Who was asked. */
export interface Told {
  readonly gateway: string;
  readonly hasKey: boolean;
}

/** What went wrong, in one sentence. */
type Headline = (error: CarbonError, told: Told) => string;

const HEADLINES: Readonly<Record<string, Headline>> = {
  network_failure: ({ cause }, { gateway }) => `Nothing answers at ${gateway}${reasonOf(cause)}.`,
  unexpected_answer: ({ detail }, { gateway }) => `Something else than this service answers at ${gateway}: ${detail}`,
  timed_out: (_, { gateway }) => `No answer came from ${gateway} in time.`,
  rate_limited: (_, { hasKey }) =>
    `Too many requests: ${hasKey ? 'this key has' : 'this address has'} used up what it may ask for now.`,
  service_unavailable: () => 'The service cannot answer this just now.',
  not_accepted: () => 'The service cannot take offsets just now: it was not accepted, and nothing was recorded.',
  outcome_unknown: () => 'The service cannot say whether the offset was accepted: it may be recorded, or not.',
  internal_error: () => 'Something broke within the service. Whoever runs it finds the reason by the request below.',
  invalid_criteria: () => 'The criteria cannot be understood:',
  invalid_request: ({ errors, detail }) => (errors.length === 0 ? detail : 'The service refuses this:'),
  unauthorized: (_, { gateway, hasKey }) =>
    hasKey
      ? `${gateway} does not take the key in API_KEY: it is mistyped, expired or revoked.`
      : `${gateway} asks for a key, and none is set.`,
};

/** What a person can do. */
type Advice = (error: CarbonError, told: Told) => readonly string[];

const ADVICE: Readonly<Record<string, Advice>> = {
  network_failure: () => ['Is it running (`npm start`), and does GATEWAY_URL name it?'],
  unexpected_answer: () => ['Does GATEWAY_URL name a gateway?'],
  rate_limited: later,
  service_unavailable: later,
  not_accepted: later,
  outcome_unknown: later,
  unauthorized: (_, { hasKey }) =>
    hasKey ? [] : ['Set API_KEY, or API_KEY_FILE to the name of a file that holds the key; `npm run keys` makes one.'],
  forbidden: () => ['Another key of the account may be allowed to: see `npm run keys -- list`.'],
  invalid_criteria: () => ['`schema` lists the fields; docs/criteria.md explains the language.'],
};

/** The sentence for what went wrong; the service's own where it says more than we could. */
export function headlineOf(error: CarbonError, told: Told): string {
  return HEADLINES[error.code]?.(error, told) ?? error.detail;
}

/** What to do about it, in lines. */
export function adviceOf(error: CarbonError, told: Told): readonly string[] {
  const { retryKey } = error;
  const again =
    retryKey === undefined
      ? []
      : [`The same command with --idempotency-key ${quoted(retryKey)} asks again, and cannot make a second offset.`];
  return [...(ADVICE[error.code]?.(error, told) ?? []), ...again];
}

/** A word as a shell takes it for one. */
export function quoted(word: string): string {
  return /^[\w.:@%+=/-]+$/.test(word) ? word : `'${printable(word).replaceAll("'", "'\\''")}'`;
}

function later({ retryAfter }: CarbonError): readonly string[] {
  return [retryAfter === undefined ? 'Try again later.' : `Try again in ${retryAfter} s.`];
}

/** The platform's name of what happened, such as ECONNREFUSED: `fetch` keeps it two causes deep. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : reasonOf(cause.cause);
}
