import { CarbonError } from '../errors/carbon-error.js';
import { NetworkError, TimedOutError, UnexpectedAnswerError } from '../errors/without-answer.js';
import { type Question, queryText } from './question.js';
import type { Reply } from './reply.js';
import { OUT_OF_TIME, withinTime } from './time-limit.js';

/** Where questions go, and what they all carry. */
export interface Line {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** A function, so that nothing which prints or stores the client shows it. */
  readonly key: () => string | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** More than any answer of the service: what is longer comes from something else. In bytes. */
const LONGEST_BODY = 64 * 1024 * 1024;

/**
 * Asks once.
 *
 * @throws NetworkError, TimedOutError, or the reason of the signal
 */
export async function send(line: Line, question: Question, ms: number, signal?: AbortSignal): Promise<Reply> {
  const { baseUrl, fetch } = line;
  const url = baseUrl + question.path + queryText(question.query);
  const init = initOf(line, question);
  const sentKey = question.idempotencyKey;
  const reply = await withinTime(ms, signal, async (ending) => {
    try {
      const response = await fetch(url, { ...init, signal: ending });
      return { status: response.status, headers: response.headers, text: await textOf(response, sentKey), sentKey };
    } catch (cause) {
      if (cause instanceof CarbonError) throw cause;
      throw new NetworkError(`no whole answer came from ${baseUrl}`, { cause, retryKey: sentKey });
    }
  });
  if (reply !== OUT_OF_TIME) return reply;
  throw new TimedOutError(`no whole answer came from ${baseUrl} within ${Math.round(ms)} ms`, { retryKey: sentKey });
}

/** Redirects are not followed: the service makes none, and the key is for nobody else. */
function initOf(line: Line, { method, body, headers, idempotencyKey }: Question): RequestInit {
  const key = line.key();
  return {
    method,
    redirect: 'manual',
    credentials: 'omit',
    headers: {
      accept: 'application/json, application/problem+json',
      ...headers,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function textOf(response: Response, sentKey: string | undefined): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    if (length > LONGEST_BODY) throw tooLong(response, sentKey);
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function tooLong({ status }: Response, retryKey: string | undefined): UnexpectedAnswerError {
  const detail = `the answer is longer than ${LONGEST_BODY} bytes (status ${status})`;
  return new UnexpectedAnswerError(detail, { status, retryKey });
}
