import type { ValueNode } from '../parse/nodes.js';
import type { Findings } from './findings.js';

/**
 * What holds for a value whatever its type: not too long, and whole characters only (half a surrogate pair is no text
 * the index could hold).
 */
export function isSound(value: ValueNode, findings: Findings): boolean {
  const { valueLength } = findings.limits;
  if (value.text.length > valueLength) {
    findings.add('VALUE_TOO_LONG', value, `a value may hold at most ${valueLength} characters`);
    return false;
  }
  if (value.text.isWellFormed()) return true;
  findings.add('INVALID_VALUE', value, 'the value holds half a surrogate pair');
  return false;
}

/** The same for a bound, which besides holds no wildcard; an absent bound is sound. */
export function isSoundBound(value: ValueNode | undefined, findings: Findings): boolean {
  if (value === undefined) return true;
  if (!isSound(value, findings)) return false;
  if (value.pattern === undefined) return true;
  findings.add('PATTERN_NOT_ALLOWED', value, 'wildcards cannot be used as range bounds', {
    hint: value.pattern === '*' ? 'for any value at all write field exists' : 'write the bound in full',
  });
  return false;
}
