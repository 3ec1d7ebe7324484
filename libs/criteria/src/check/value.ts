import { echo } from '../errors/echo.js';
import type { CriteriaFieldType } from '../fields.js';
import type { CriteriaLimits } from '../limits.js';
import type { ValueNode } from '../parse/nodes.js';
import type { Comparison } from './types/type-rule.js';

/**
 * What holds for a value whatever its type: not too long, whole characters only (half a surrogate pair is no text the
 * index could hold), and no wildcard.
 */
export function isPlainValue(comparison: Comparison, value: ValueNode, limits: CriteriaLimits): boolean {
  const { findings } = comparison;
  const before = findings.errors.length;
  if (value.text.length > limits.valueLength) {
    findings.add('VALUE_TOO_LONG', value, `a value may hold at most ${limits.valueLength} characters`);
  } else if (!isWellFormed(value.text)) {
    findings.add('INVALID_VALUE', value, 'the value holds half a surrogate pair');
  } else if (value.wildcard) {
    refuseWildcard(comparison, value);
  }
  return findings.errors.length === before;
}

function refuseWildcard({ field, findings }: Comparison, value: ValueNode): void {
  const detail = `wildcards cannot be used with ${field.type} field "${field.name}"`;
  const hint = wildcardHint(field.type, value.text);
  findings.add('PATTERN_NOT_ALLOWED', value, detail, hint === undefined ? {} : { hint });
}

function wildcardHint(type: CriteriaFieldType, text: string): string | undefined {
  if (type === 'keyword' || type === 'text') return `quote it to search for the character: "${echo(text)}"`;
  return type === 'boolean' || type === 'address' ? undefined : 'use a range such as 3..4';
}

function isWellFormed(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(at + 1);
    if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return false;
    at++;
  }
  return true;
}
