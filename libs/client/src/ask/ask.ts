import { CarbonError } from '../errors/carbon-error.js';
import { errorOf } from '../errors/read-problem.js';
import type { Patience } from '../options.js';
import type { Question } from './question.js';
import type { Reply } from './reply.js';
import { isPassing, pauseBefore } from './retry.js';
import { type Line, send } from './send.js';
import { pause } from './time-limit.js';

/** How patient a call is, and what may end it. */
export interface Limits extends Patience {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks until there is an answer with an expected status, as often and as long as the limits say.
 *
 * Every question may be asked again: a GET changes nothing, a POST of an offset bears a key under which it has one
 * effect, and an estimate too many holds nothing.
 *
 * @throws CarbonError the last one, when there are no more tries or the next would come too late
 */
export async function ask(line: Line, question: Question, limits: Limits): Promise<Reply> {
  const { tryMs, timeoutMs, tries, signal } = limits;
  const end = performance.now() + timeoutMs;
  let next = question;
  for (let count = 1; ; count++) {
    const left = end - performance.now();
    try {
      return await answered(line, next, Math.min(tryMs, left), signal);
    } catch (error) {
      if (!(error instanceof CarbonError)) throw error;
      const wait = pauseBefore(count, error.retryAfter);
      const isLast = count >= tries || wait >= end - performance.now();
      if (!isPassing(error) || isLast) throw error;
      next = retryOf(next, error);
      await pause(wait, signal);
    }
  }
}

async function answered(line: Line, question: Question, ms: number, signal?: AbortSignal): Promise<Reply> {
  const reply = await send(line, question, ms, signal);
  if (question.expects.includes(reply.status)) return reply;
  throw errorOf(reply);
}

/** The same again, under the key that the service says makes it safe. */
function retryOf(question: Question, { retryKey }: CarbonError): Question {
  const isKeyed = question.idempotencyKey !== undefined && retryKey !== undefined;
  return isKeyed ? { ...question, idempotencyKey: retryKey } : question;
}
