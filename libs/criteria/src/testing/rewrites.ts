import type { Compiled } from '../criteria.js';
import type { CriteriaError } from '../diagnostics/criteria-error.js';

/** The words of a hint before its rewrite, and those between its rewrite and the next. */
const BEFORE = /(?:write|spaces:) (.+)$/;
const AFTER = /, or | or use |, with | for (?:words|all|any|how)|; | \((?:a|three) /;
const WITH_SPACES = ', with spaces around it';
const LEFT_OUT = /^leave (?:it|"\+") out/;

/** Returns the rewrite of a hint: its first proposal. */
export function rewriteIn(hint = ''): string | undefined {
  return BEFORE.exec(hint)?.[1]?.split(AFTER)[0];
}

/** Returns the last rewrite of a hint, for one that proposes the words of a text before its whole value. */
export function lastRewriteIn(hint = ''): string | undefined {
  return hint.includes(' for words, or ') ? BEFORE.exec(hint)?.[1]?.split(' for words, or ').at(-1) : rewriteIn(hint);
}

/**
 * Returns the criteria after the last hint is followed as it is: its condition, or the text with every marked piece
 * replaced. Undefined if that is not valid, or if the hint lists every meaning, so nothing was rewritten.
 */
export function followed(
  text: string,
  errors: readonly CriteriaError[],
  compile: (text: string) => Compiled,
): string | undefined {
  const last = errors.at(-1)?.hint;
  if (/ for any of them|^for several values .*; for a decimal/.test(last ?? '')) return undefined;
  const condition = lastRewriteIn(last);
  if (condition !== undefined && compile(condition).ok) return condition;
  let rewritten = text;
  for (const { position, length, suggestion, hint } of errors.toReversed()) {
    const found = suggestion ?? (LEFT_OUT.test(hint ?? '') ? '' : rewriteIn(hint));
    if (found === undefined) return undefined;
    const piece = hint?.includes(WITH_SPACES) ? ` ${found} ` : found;
    rewritten = rewritten.slice(0, position) + piece + rewritten.slice(position + length);
  }
  return compile(rewritten).ok ? rewritten : undefined;
}
