import { isOfType, isRecord, jsonOf, type Reply } from '../ask/reply.js';
import { retryAfterOf } from '../ask/retry-after.js';
import { problemOf } from '../generated/problems.js';
import type { CarbonError, ErrorFacts, ErrorItem } from './carbon-error.js';
import { UnexpectedAnswerError } from './without-answer.js';

const FOREIGN = 'is no answer of this service';
/** As much of a foreign answer as is shown. */
const SHOWN = 200;

/** The error that an answer without success is. */
export function errorOf(reply: Reply): CarbonError {
  const problem = isOfType(reply, 'application/problem+json') ? jsonOf(reply) : undefined;
  if (!isRecord(problem) || typeof problem.code !== 'string') return unexpected(reply);
  const facts = {
    ...factsOf(reply),
    requestId: textOf(problem.instance) ?? requestIdOf(reply),
    errors: itemsOf(problem.errors),
    retryKey: textOf(problem.retryKey) ?? openKeyOf(reply),
    snippet: textOf(problem.snippet),
  };
  const detail = textOf(problem.detail) ?? textOf(problem.title) ?? `status ${reply.status}, ${problem.code}`;
  return problemOf(problem.code, detail, facts);
}

/** The key of the request, where the problem leaves open what became of it. */
function openKeyOf({ status, sentKey }: Reply): string | undefined {
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRefused ? undefined : sentKey;
}

/**
 * An answer that is neither a success of the expected form nor a problem document. Whatever its status, it does not tell
 * whether the service had the request.
 */
export function unexpected(reply: Reply, why = FOREIGN): UnexpectedAnswerError {
  const type = reply.headers.get('content-type') ?? 'no content type';
  const begin = printable(reply.text.slice(0, SHOWN));
  const detail = `the answer ${why} (status ${reply.status}, ${type}): ${begin === '' ? 'it is empty' : begin}`;
  return new UnexpectedAnswerError(detail, {
    ...factsOf(reply),
    requestId: requestIdOf(reply),
    retryKey: reply.sentKey,
  });
}

function factsOf({ status, headers }: Reply): ErrorFacts {
  return { status, retryAfter: retryAfterOf(headers) };
}

function requestIdOf({ headers }: Reply): string | undefined {
  return headers.get('x-request-id') ?? undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The items that have what every item has; what a newer service adds to them is kept. */
function itemsOf(value: unknown): readonly ErrorItem[] {
  return Array.isArray(value) ? value.filter(isItem) : [];
}

function isItem(item: unknown): item is ErrorItem {
  return isRecord(item) && [item.field, item.code, item.detail].every((member) => typeof member === 'string');
}

function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
