import { checkCriteria } from '../check/check.js';
import type { CriteriaFields } from '../fields.js';
import { parseCriteria } from '../parse/parse.js';
import type { CriteriaNode, Span } from '../parse/syntax-tree.js';
import { conditionAround, isChain } from './condition-around.js';
import { type CriteriaError, criteriaError, type Explanation, type Proposal, type Rewrite } from './criteria-error.js';
import { takesWordAsValue } from './language-words.js';
import { safeText } from './snippet.js';
import { nameAt, opensCondition } from './source.js';

const MAX_JOINT = 40;
/** A value behind a comma, outside of quotes and parentheses. */
const NEXT_VALUE = /,\s{0,9}(["']?[\p{L}\p{N}.]+)/u;
const ENCLOSED = /"[^"]*"|'[^']*'|\([^()]*\)/g;
/** What negates nothing, or is negated twice. */
const NO_NEGATION = /"[^"]*"|'[^']*'|![<>]|\bnot\s{1,9}distinct\b/gi;
const NEGATION =
  /[¬≠∉]|!|<>|[_.]ne\b|(?<![\p{L}\p{N}_])(?:not|no|ne|neq|isn['’]?t|isnot|notin|nin|without|except|neither|nor|never|false)(?![\p{L}\p{N}_])/iu;
/** Criteria that negate: a comparison with `null`, too. */
const NEGATED =
  /!=|<>|is null|(?<![\p{L}\p{N}_])(?:not|no|ne|without|except|neither|nor|never|false)(?![\p{L}\p{N}_])/iu;
/** Ten thousand to some people, and ten to a parser. */
const THOUSANDS = /(?<![\d.])[1-9]\d{0,2}\.000(?![\d.])/;
/** What a shortened or replaced piece of the text contains. */
const INCOMPLETE = /[…\ufffd]/;

/** A text with its fields, and the places of the errors that it would have in another form. */
export interface Guarded {
  readonly text: string;
  readonly fields: CriteriaFields;
  readonly errorsIn: (text: string) => readonly Span[];
}

/** A proposal that keeps the meaning of the text; it has a rewrite if it may be taken as it is. */
interface Judged {
  readonly rewrite: Rewrite | undefined;
}

/**
 * Returns an error with the first of its hints that fits, and its rewrite. A proposal does not fit that is not valid in its
 * place, loses a negation, or takes a word of a language as a value.
 */
export function guarded(error: Explanation, guard: Guarded): CriteriaError {
  const suggested =
    error.suggestion === undefined ? undefined : inPlace({ ...spanOf(error), text: error.suggestion }, guard);
  for (const hint of error.hints) {
    if (typeof hint === 'string') return criteriaError(error, hint, suggested);
    const judged = judge(hint, error, guard);
    if (judged !== undefined) return criteriaError(error, hint.hint, judged.rewrite ?? suggested);
  }
  const last = error.hints.at(-1);
  return criteriaError(error, typeof last === 'object' ? last.otherwise : undefined, suggested);
}

function judge(proposal: Proposal, error: Explanation, guard: Guarded): Judged | undefined {
  const { text, fields } = guard;
  const { replacement, of, isShownOnly } = proposal;
  if (THOUSANDS.test(replacement.replace(ENCLOSED, ''))) return undefined;
  const tree = of === 'piece' ? undefined : validTree(replacement, fields);
  if (of !== 'piece' && (tree === undefined || takesWordAsValue(tree, text))) return undefined;
  const around = rangeOf(of, tree, error, guard);
  const end = around.position + around.length;
  const isNamed =
    of === 'condition' && text.slice(around.position).toLowerCase().startsWith(firstField(tree).toLowerCase());
  const range = proposal.range ?? around;
  if (isNamed && continues(text, Math.max(end, range.position + range.length), replacement, fields)) return undefined;
  const replaced = text.slice(Math.min(range.position, around.position), end);
  const next = of === 'condition' ? NEXT_VALUE.exec(replaced.replace(ENCLOSED, ''))?.[1] : undefined;
  if (next !== undefined && !replacement.includes(next)) return undefined;
  if (NEGATION.test(replaced.replace(NO_NEGATION, '')) && !NEGATED.test(replacement)) return undefined;
  const rewrite = inPlace({ ...spanOf(range), text: safeText(replacement) }, guard);
  if (rewrite === undefined && of === 'piece') return undefined;
  const isLossy = of === 'condition' && proposal.range === undefined && isChain(text, range, error);
  const isTaken = !isShownOnly && !isLossy && !INCOMPLETE.test(safeText(replacement));
  return { rewrite: isTaken ? rewrite : undefined };
}

function validTree(criteria: string, fields: CriteriaFields): CriteriaNode | undefined {
  const parsed = parseCriteria(criteria);
  return parsed.ok && checkCriteria(parsed.value, fields).ok ? parsed.value : undefined;
}

function rangeOf(
  of: Proposal['of'],
  tree: CriteriaNode | undefined,
  error: Explanation,
  { text, fields }: Guarded,
): Span {
  if (of === 'text') return { position: 0, length: text.length };
  return of === 'piece' ? spanOf(error) : conditionAround(text, error, firstField(tree), fields);
}

function spanOf({ position, length }: Span): Span {
  return { position, length };
}

function firstField(node: CriteriaNode | undefined): string {
  if (node === undefined) return '';
  switch (node.kind) {
    case 'everything':
      return '';
    case 'and':
    case 'or':
      return firstField(node.terms[0]);
    case 'not':
      return firstField(node.term);
    default:
      return node.field;
  }
}

/** Returns a rewrite if the text has no error in its place any more. */
function inPlace(rewrite: Rewrite, { text, errorsIn }: Guarded): Rewrite | undefined {
  const start = rewrite.position;
  const end = start + rewrite.text.length;
  const rewritten = text.slice(0, start) + rewrite.text + text.slice(start + rewrite.length);
  const isLeft = errorsIn(rewritten).some(({ position, length }) => position < end && position + length > start);
  return isLeft ? undefined : rewrite;
}

/** Whether a condition continues behind a connector without its rewrite: `sdgs includes 13 and 7`. */
function continues(text: string, end: number, rewrite: string, fields: CriteriaFields): boolean {
  const joint = /^\s{1,9}(?:and|or)\s{1,9}(?:not\s{1,9})?/i.exec(text.slice(end, end + MAX_JOINT))?.[0].length ?? 0;
  const next = end + joint;
  const word = /^["']?[\p{L}\p{N}.]+/u.exec(text.slice(next, next + MAX_JOINT))?.[0];
  return (
    joint > 0 &&
    word !== undefined &&
    !rewrite.includes(word) &&
    !opensCondition(text, next) &&
    fields.find(nameAt(text, next)) === undefined &&
    !/^[^\s()]{1,80}\(/.test(text.slice(next, next + 90))
  );
}
