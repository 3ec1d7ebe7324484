import { isKeywordAhead } from '../parse/keywords.js';
import type { Span } from '../parse/nodes.js';
import { type CriteriaError, criteriaError } from './criteria-error.js';
import type { FailedText } from './failed-text.js';
import { echo } from './snippet.js';
import { afterSpace, bare, cursorAt, literalAt, type Name, nameAt, sourceOf } from './source.js';

/** How far back a field is looked for. */
const MAX_DISTANCE = 120;
const LIST = /([\p{L}\p{N}_.-]{1,80})\s{1,9}in\s{0,9}$/iu;
const DETAIL = '"a TO b" needs brackets';

/** Explains `a TO b` without brackets; the span is the `TO`. */
export function unbracketedRange(text: string, to: Span, field: string, low: Span | undefined): CriteriaError {
  const written = low === undefined ? 'low' : sourceOf(text, low);
  const high = literalAt(text, to.position + to.length);
  const hint = `write ${echo(field)}:${echo(written)}..${high === undefined ? 'max' : bare(high.text)}`;
  return criteriaError('UNSUPPORTED_SYNTAX', { position: to.position, length: 2 }, DETAIL, { hint });
}

/** Explains `field a TO b`; undefined if the words behind the field are no range. */
export function rangeWithoutOperator({ text, at }: FailedText, field: Name): CriteriaError | undefined {
  const low = nameAt(text, at);
  const position = afterSpace(text, at + low.length);
  if (low === '' || nameAt(text, position).toLowerCase() !== 'to') return undefined;
  return unbracketedRange(text, { position, length: 2 }, field.text, { position: at, length: low.length });
}

/** Explains a `TO` between the values of a list or group that begins at the start; undefined if there is none. */
export function rangeInList({ text, start, at }: FailedText): CriteriaError | undefined {
  if (!isKeywordAhead(cursorAt(text, at), 'to')) return undefined;
  const hint = intervalHint(text, start) ?? 'write [a TO b] or a..b';
  return criteriaError('UNSUPPORTED_SYNTAX', { position: at, length: 2 }, DETAIL, { hint });
}

/** `rating in [3 TO 5]`; undefined if no field stands before the bracket. */
function intervalHint(text: string, opener: number): string | undefined {
  const field = LIST.exec(text.slice(Math.max(0, opener - MAX_DISTANCE), opener))?.[1];
  const closer = text.indexOf(']', opener);
  if (field === undefined || text.charAt(opener) !== '[' || closer < 0) return undefined;
  return `write ${echo(field)}:${echo(text.slice(opener, closer + 1))}`;
}

/** Explains `[a, b]`, which is a list to some and an interval to others. */
export function listInBrackets({ text, start: position, at }: FailedText): CriteriaError {
  const closer = text.indexOf(']', at);
  const end = closer < 0 ? at + 1 : closer + 1;
  const items = text.slice(position + 1, closer < 0 ? at : closer).split(',');
  const [low = '', high = 'b', third] = items.map((item) => echo(item.trim()));
  const interval = third === undefined ? `[${low} TO ${high}] for all between, or ` : '';
  return criteriaError(
    'UNSUPPORTED_SYNTAX',
    { position, length: end - position },
    'a list in brackets is not supported',
    { hint: `write ${interval}(${echo(items.map((item) => item.trim()).join(', '))}) for any of them` },
  );
}
