import type { CriteriaFields } from '../fields.js';
import { WORD_OPERATORS } from '../operators.js';
import type { Span } from '../parse/syntax-tree.js';
import { isOperatorSign } from '../text/characters.js';
import { translationOf } from './dialects.js';
import { suggestField } from './field-names.js';
import { afterSpace, opensCondition } from './source.js';

/** A quote behind a letter is an apostrophe, and `&` or `|` within a word is a part of it. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"?|(?<![\p{L}\p{N}])'(?:[^'\\]|\\.)*'?|&&|\|\||(?<=\s)[&|]|[();]|(?:\\.|(?!\.\.|&&|\|\|)[^\s"'<>!=:(),;])+/gsu;
/** The maximum white space behind a comparison, in characters. */
const REACH = 10;
const JOINT = /^(?:and|or|xor|unless|where|&&?|\|\|?|;)$/i;
const SIGNS = /[<>=!:~]+(?:\s+[<>=!:~]+)*/g;
const QUOTED = /"[^"]*"|'[^']*'/g;

interface Token extends Span {
  readonly text: string;
  /** The parentheses around it. */
  readonly depth: number;
  /** Whether it joins conditions; the `and` of a `between` does not. */
  readonly isJoint: boolean;
}

/**
 * Returns the condition of a field around a marked piece: from the field's last name before it, or from the piece, to the next
 * joint, parenthesis or condition.
 */
export function conditionAround(text: string, marked: Span, name: string, fields: CriteriaFields): Span {
  const tokens = tokensOf(text);
  const end = endOf(marked);
  const inside = tokens.find((token) => endOf(token) > marked.position);
  const depth = inside?.depth ?? 0;
  const before = tokens.filter(({ position }) => position <= end);
  const opening = before.findLastIndex(
    (token) => token.isJoint && endOf(token) <= marked.position && token.depth <= depth,
  );
  const own = before.slice(opening + 1);
  const named =
    own.findLast((token) => nameOf(token).toLowerCase() === name.toLowerCase()) ??
    own.slice(0, 1).find((token) => name !== '' && suggestField(nameOf(token), fields) === name);
  const start = named === undefined ? inside : { ...named, position: endOf(named) - nameOf(named).length };
  const position = Math.min(start?.position ?? marked.position, marked.position);
  const outer = Math.min(depth, start?.depth ?? depth);
  const next = tokens.find(
    (token) =>
      token.position >= end &&
      token.position > position &&
      (token.depth < outer || (token.depth === outer && (token.isJoint || opensMore(text, token, fields)))),
  );
  const until = next === undefined ? text.length : next.position;
  return { position, length: Math.max(end, text.slice(0, until).trimEnd().length) - position };
}

/** Returns whether a range has comparisons beside the marked piece, as `3 < rating < 5` has around one half. */
export function isChain(text: string, range: Span, marked: Span): boolean {
  const end = endOf(marked);
  const signs = text.slice(marked.position, end).replace(QUOTED, '').match(SIGNS) ?? [];
  const shown = text.slice(range.position, marked.position) + signs.join('') + text.slice(end, endOf(range));
  return (shown.replace(QUOTED, '').match(SIGNS) ?? []).length > 1;
}

function tokensOf(text: string): readonly Token[] {
  let depth = 0;
  let isBetween = false;
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => {
    const isBound: boolean = isBetween && /^and$/i.test(token) && !opensCondition(text, index + token.length);
    isBetween = !isBound && (isBetween || /^between$/i.test(token));
    if (token === ')') depth -= 1;
    const found = { text: token, position: index, length: token.length, depth, isJoint: JOINT.test(token) && !isBound };
    if (token === '(') depth += 1;
    return found;
  });
}

/** A name without the `-` that negates it. */
function nameOf({ text }: Token): string {
  return text.replace(/^-/, '');
}

function endOf({ position, length }: Span): number {
  return position + length;
}

/** Whether another condition, or a group of them, begins at a token. Behind a comparison a name is its value. */
function opensMore(text: string, token: Token, fields: CriteriaFields): boolean {
  const before = text.slice(Math.max(0, token.position - REACH), token.position);
  if (token.text === '(') return /\s$/.test(before) && opensCondition(text, endOf(token));
  const name = endOf(token) - nameOf(token).length;
  if (/[<>=!:~^]\s*$/.test(before) || !opensCondition(text, name)) return false;
  if (fields.find(nameOf(token)) !== undefined) return true;
  const isOperator = /^not$/i.test(token.text) || WORD_OPERATORS.has(token.text.toLowerCase());
  return !isOperator && !translationOf(token.text) && isOperatorSign(text.charCodeAt(afterSpace(text, endOf(token))));
}
