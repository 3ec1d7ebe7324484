import { check, failuresOf } from '../check/check.js';
import type { CriteriaFields } from '../fields.js';
import { DEFAULT_LIMITS } from '../limits.js';
import { parse } from '../parse/parse.js';
import type { Span } from '../parse/syntax-tree.js';
import { type CriteriaError, criteriaError } from './criteria-error.js';
import { takesWordAsValue } from './language-words.js';
import { nameAt, opensCondition } from './source.js';

/** The proposals of a hint, and where the first one ends. */
const PROPOSALS = /(?:write|spaces:) (.+)$/u;
const END = /, or | or use |, with | for (?:words|how|all|any)|; | \((?:a|three) /u;
/** Prose beside a proposal that is a hint by itself. */
const PROSE = /^.+(?=, or write )|(?<=; )(?:quote it|in a URL) .+$/u;
const CONDITION = /^(?:not )?([\p{L}\p{N}_.-]+)\s{0,9}[^\p{L}\p{N}_.\s-]|^(?:not )?([\p{L}\p{N}_.-]+)\s/u;
const JOINT = /^(?:and|or)(?: not)?$/;

/** The maximum distance to the field and to the end of a condition, in characters. */
const REACH = 160;
const MAX_JOINT = 40;
const CONDITION_END = /\s(?:and|or|xor|unless|where)\s|&&|\|\||;|\s[\p{L}_][\p{L}\p{N}_.-]{0,40}\s{0,3}[:=<>!]/iu;
/** What negates nothing, or is negated twice. */
const NO_NEGATION = /"[^"]*"|'[^']*'|![<>]|\bnot\s{1,9}distinct\b/gi;
const NEGATION =
  /[¬≠∉]|!|<>|[_.]ne\b|(?<![\p{L}\p{N}_])(?:not|no|ne|neq|isn['’]?t|isnot|notin|nin|without|except|neither|nor|never|false)(?![\p{L}\p{N}_])/iu;
/** A rewrite that negates: a comparison with `null`, too. */
const NEGATED =
  /!=|<>|is null|(?<![\p{L}\p{N}_])(?:not|no|ne|without|except|neither|nor|never|false)(?![\p{L}\p{N}_])/iu;

/** Returns an error without a rewrite that is not valid in its place, loses a negation, or takes a word of a language as a value. */
export function guarded(error: CriteriaError, text: string, fields: CriteriaFields): CriteriaError {
  const { code, detail, position, length, hint, ...advice } = error;
  if (hint === undefined || isSafe(hint, text, error, fields)) return error;
  return criteriaError(code, { position, length }, detail, { ...advice, hint: PROSE.exec(hint)?.[0] });
}

/** Returns whether a hint without a rewrite, or one whose rewrite may be taken as it is. */
export function isSafe(hint: string, text: string, span: Span, fields: CriteriaFields): boolean {
  const proposals = PROPOSALS.exec(hint)?.[1];
  const [rewrite = ''] = proposals?.split(END) ?? [];
  if (proposals === undefined || rewrite === '') return true;
  const parsed = parse(rewrite, DEFAULT_LIMITS);
  const [, sign, word] = CONDITION.exec(rewrite) ?? [];
  const name = sign ?? word;
  const isWhole = parsed.ok && check(parsed.value, fields, DEFAULT_LIMITS).ok;
  if (!isWhole && fields.find(name ?? '') !== undefined) return false;
  if (isWhole && takesWordAsValue(parsed.value, text)) return false;
  const { position, length } = isWhole ? conditionAround(text, span, name ?? '') : span;
  const replaced = text.slice(position, position + length);
  const isCut = isWhole && replaced.toLowerCase().startsWith(name?.toLowerCase() ?? '');
  if (isCut && continues(text, position + length, rewrite, fields)) return false;
  if (NEGATION.test(replaced.replace(NO_NEGATION, '')) && !NEGATED.test(proposals)) return false;
  return isWhole || isValidInPlace(rewrite, text, span, fields);
}

/** The condition that a rewrite replaces: from the last name of its field to the next connector. */
function conditionAround(text: string, { position, length }: Span, name: string): Span {
  const start = Math.max(0, position - REACH);
  const end = position + length;
  const found = text.slice(start, end).toLowerCase().lastIndexOf(name.toLowerCase());
  const rest = text.slice(end, end + REACH);
  const from = found < 0 ? position : Math.min(start + found, position);
  return { position: from, length: end - from + (CONDITION_END.exec(rest)?.index ?? rest.length) };
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

/** Returns whether the text has no error at a piece any more once it is rewritten. */
function isValidInPlace(rewrite: string, text: string, { position, length }: Span, fields: CriteriaFields): boolean {
  const piece = JOINT.test(rewrite) ? ` ${rewrite} ` : rewrite;
  const rewritten = text.slice(0, position) + piece + text.slice(position + length);
  const end = position + piece.length;
  const isAtPiece = (span: Span) => span.position < end && span.position + span.length > position;
  const parsed = parse(rewritten, DEFAULT_LIMITS);
  if (parsed.ok) {
    const checked = check(parsed.value, fields, DEFAULT_LIMITS);
    return checked.ok || !checked.failures.some(({ operand, predicate }) => isAtPiece(operand ?? predicate));
  }
  const { start, at } = parsed.failure;
  if (Math.max(start, at) >= position && Math.min(start < 0 ? at : start, at) < end) return false;
  return !failuresOf(parsed.predicates, fields, DEFAULT_LIMITS).some(({ operand, predicate }) =>
    isAtPiece(operand ?? predicate),
  );
}
