import type { Hint, Proposal } from './criteria-error.js';

/** Returns the hint to write a condition in place of the one around the marked piece. */
export function writeCondition(replacement: string, behind = ''): Proposal {
  return { hint: `write ${replacement}${behind}`, replacement, of: 'condition' };
}

/** Returns the hint to write something in place of the marked piece. */
export function writePiece(replacement: string, behind = ''): Proposal {
  return { hint: `write ${replacement}${behind}`, replacement, of: 'piece' };
}

/** Returns the hint to leave the marked piece out. */
export function leaveOut(hint: string): Proposal {
  return { hint, replacement: '', of: 'piece', otherwise: hint };
}

/** Returns a proposal with words before and behind its hint. */
export function worded<T extends Proposal | undefined>(proposal: T, before: string, behind = ''): T {
  return proposal && { ...proposal, hint: `${before}${proposal.hint}${behind}` };
}

/** Returns a hint whose proposal has a placeholder or one of several meanings, so nothing may be rewritten. */
export function shownOnly<T extends Hint | undefined>(hint: T): T {
  return typeof hint === 'object' ? { ...hint, isShownOnly: true } : hint;
}
