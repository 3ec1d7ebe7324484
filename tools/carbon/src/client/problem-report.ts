import { stripVTControlCharacters } from 'node:util';
import { CarbonError, type ErrorItem } from '@carbon/client';
import { CommandError, EXIT, type Paint, printable } from '@carbon/terminal';
import { underlined } from './caret.js';
import { shellQuote } from './format.js';

/** The request that failed, and where its error is printed. */
export interface FailedRequest {
  readonly gateway: string;
  readonly hasKey: boolean;
  readonly criteria?: string | undefined;
  readonly width: number;
  readonly paint: Paint;
}

const INDENT = '  ';
const MIN_ROOM = 20;

/** One sentence about what went wrong. */
type Headline = (error: CarbonError, request: FailedRequest) => string;

const HEADLINES: Readonly<Record<string, Headline>> = {
  network_failure: ({ cause }, { gateway }) => `No response from ${gateway}${reasonOf(cause)}.`,
  unexpected_answer: ({ detail }, { gateway }) => `Another service responds at ${gateway}: ${detail}`,
  timed_out: (_, { gateway }) => `${gateway} did not respond in time.`,
  rate_limited: (_, { hasKey }) => `Too many requests: this ${hasKey ? 'key' : 'address'} has reached its limit.`,
  service_unavailable: () => 'The service is not available at the moment.',
  not_accepted: () => 'The service does not accept offsets at the moment: nothing was recorded.',
  outcome_unknown: () => 'The service does not know whether the offset was accepted: it may be recorded, or not.',
  internal_error: () => 'The service failed. Its operator finds the reason by the request below.',
  invalid_criteria: () => 'The criteria cannot be understood:',
  idempotency_key_reused: () => 'This --idempotency-key was used before, with another weight, estimate or reference.',
  invalid_request: ({ errors, detail }) => (errors.length === 0 ? detail : 'The request is not valid:'),
  unauthorized: (_, { gateway, hasKey }) =>
    hasKey
      ? `${gateway} does not accept the key in API_KEY: it is mistyped, expired or revoked.`
      : `${gateway} requires a key, and none is set.`,
};

const HINTS: Readonly<Record<string, (error: CarbonError, request: FailedRequest) => readonly string[]>> = {
  network_failure: () => ['Is it running (`npm start`), and does GATEWAY_URL name it?'],
  unexpected_answer: () => ['Does GATEWAY_URL name a gateway?'],
  rate_limited: tryAgain,
  service_unavailable: tryAgain,
  not_accepted: tryAgain,
  outcome_unknown: tryAgain,
  unauthorized: (_, { hasKey }) =>
    hasKey ? [] : ['Set API_KEY, or API_KEY_FILE to the path of a file with the key; `npm run keys` makes one.'],
  forbidden: () => ['Another key of the account may have the scope: see `npm run keys -- list`.'],
  idempotency_key_reused: () => ['For another offset choose another key; `offsets` lists what was accepted.'],
  invalid_criteria: () => ['`schema` lists the fields; docs/criteria.md explains the language.'],
};

/** Arguments and options, by the parameters, headers and fields that the service names. */
const TYPED: Readonly<Record<string, string>> = {
  kgco2e: '<kg>',
  estimateid: '--estimate',
  customerref: '--ref',
  'idempotency-key': '--idempotency-key',
  id: '<id>',
  offset: '<id>',
  asset: '--asset',
  status: '--status',
  createdfrom: '--from',
  createdto: '--to',
  limit: '--limit',
  fulltextsearch: '--text',
  sort: '--sort',
  fields: '--fields',
  caret: '--caret',
};

/** A sentence of the service with the options of this command in place of its parameters. */
function withOptions(sentence: string): string {
  return sentence.replace(/\b(?:createdFrom|createdTo|fullTextSearch)\b/g, (name) => TYPED[name.toLowerCase()] ?? name);
}

/** How a person repeats a request safely. */
export function safeRetry(idempotencyKey: string): string {
  return `The same command with --idempotency-key ${shellQuote(idempotencyKey)} retries it, and cannot create a second offset.`;
}

/** Explains an error of the service to a person; any other error stays as it is. */
export function commandErrorOf(error: unknown, request: FailedRequest): unknown {
  if (!(error instanceof CarbonError)) return error;
  const { code, status = 0, requestId, retryKey } = error;
  const after = [
    ...(HINTS[code]?.(error, request) ?? []),
    ...(retryKey === undefined ? [] : [safeRetry(retryKey)]),
    ...(status >= 500 && requestId !== undefined ? [`(request ${requestId})`] : []),
  ];
  const headline = HEADLINES[code]?.(error, request) ?? error.detail;
  const items = error.errors.flatMap((item) => itemLines(item, request));
  // The lines of the items have colours of their own, and are printable otherwise.
  const styled = [printable(headline), ...items, ...after.map(printable)].join('\n');
  return new CommandError(stripVTControlCharacters(styled), exitCodeOf(error), styled);
}

function exitCodeOf({ code, status = 0 }: CarbonError): number {
  if (code === 'unauthorized' || code === 'forbidden') return EXIT.forbidden;
  const isRejection = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRejection && code !== 'unexpected_answer' ? EXIT.failed : EXIT.unavailable;
}

/** Returns one error of a request: where it is, what it is, and what may be meant. */
function itemLines(item: ErrorItem, request: FailedRequest): readonly string[] {
  const marked = markedCriteria(item, request);
  const name = TYPED[item.field.toLowerCase()] ?? item.field;
  const sentence = printable(withOptions(item.detail));
  const isNamed = marked.length > 0 || name === '' || sentence.startsWith(`${name}:`);
  const { suggestion, hint } = item;
  const isNew = suggestion !== undefined && !/did you mean/i.test(item.detail);
  const hints = [...(isNew ? [`did you mean ${suggestion}?`] : []), ...(hint === undefined ? [] : [hint])];
  return [
    ...marked,
    `${INDENT}${isNamed ? '' : `${printable(name)}: `}${sentence}`,
    ...hints.map((line) => `${INDENT}${printable(withOptions(line))}`),
  ];
}

/** Returns the criteria with carets under the error. */
function markedCriteria(
  { field, position, length = 1 }: ErrorItem,
  { criteria, width, paint }: FailedRequest,
): readonly string[] {
  if (field !== 'criteria' || criteria === undefined || position === undefined) return [];
  const [line, carets] = underlined(criteria, { position, length }, Math.max(MIN_ROOM, width - INDENT.length));
  return [`${INDENT}${line}`, `${INDENT}${paint('red', carets)}`];
}

function tryAgain({ retryAfter }: CarbonError): readonly string[] {
  return [retryAfter === undefined ? 'Try again later.' : `Try again in ${retryAfter} s.`];
}

/** Returns the system's name of an error, such as ECONNREFUSED: `fetch` keeps it two causes deep. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : reasonOf(cause.cause);
}
