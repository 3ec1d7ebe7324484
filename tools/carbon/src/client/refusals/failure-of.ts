import { stripVTControlCharacters } from 'node:util';
import { CarbonError } from '@carbon/client';
import { CannotDo, type CommandFailure, NoAnswer, NotAllowed, printable } from '@carbon/terminal';
import { adviceOf, headlineOf, type Told } from './explain.js';
import { mistakeLines, type Showing } from './mistakes.js';

/** What of a command a refusal is explained by. */
export interface Asked {
  readonly criteria?: string | undefined;
}

/** A refusal of the service as a person is told of it, with its exit code; anything else stays what it is. */
export function failureOf(error: unknown, told: Told & Showing): unknown {
  if (!(error instanceof CarbonError)) return error;
  const { status = 0, requestId } = error;
  const after = [
    ...adviceOf(error, told),
    ...(status >= 500 && requestId !== undefined ? [`(request ${requestId})`] : []),
  ];
  const mistakes = error.errors.flatMap((item) => mistakeLines(item, told));
  // The mistakes bring colours of their own, and have made printable what others wrote.
  const shown = [printable(headlineOf(error, told)), ...mistakes, ...after.map(printable)].join('\n');
  return new (kindOf(error))(stripVTControlCharacters(shown), shown);
}

function kindOf({ code, status = 0 }: CarbonError): new (message: string, shown: string) => CommandFailure {
  if (code === 'unauthorized' || code === 'forbidden') return NotAllowed;
  const isAnswer = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isAnswer && code !== 'unexpected_answer' ? CannotDo : NoAnswer;
}
