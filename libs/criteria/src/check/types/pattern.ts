import type { CriteriaLimits } from '../../limits.js';
import type { ValueNode } from '../../parse/nodes.js';
import { CODE } from '../../text/characters.js';
import type { CheckedNode } from '../nodes.js';
import type { Comparison, TypeRule } from './type-rule.js';

const TOO_MUCH_WORK = 'so many characters with "?" behind "*" cost the index too much';

/** Makes the condition of a pattern, unless it is one too many or would meet nearly everything. */
export function checkPattern(
  { field, findings }: Comparison,
  value: ValueNode,
  on: 'whole' | 'word',
  pattern: string,
): CheckedNode | undefined {
  if (!findings.countPattern(value)) return undefined;
  const fault = breadthOf(pattern, findings.limits) ?? (findings.spendEffort(pattern) ? undefined : TOO_MUCH_WORK);
  if (fault === undefined) return { kind: 'pattern', field, on, pattern };
  const hint = isAnything(pattern) ? { hint: `for any value at all write ${field.name} exists` } : {};
  return findings.add('PATTERN_TOO_BROAD', value, fault, hint);
}

/** The rule of types whose values are no text: a wildcard has no meaning there. */
export function refusePattern(hint: string): TypeRule['resembles'] {
  return ({ field, findings }, value) =>
    findings.add('PATTERN_NOT_ALLOWED', value, `wildcards cannot be used with ${field.type} field "${field.name}"`, {
      hint,
    });
}

/** Why a pattern costs the index too much; nothing when it does not. */
function breadthOf(pattern: string, limits: CriteriaLimits): string | undefined {
  let [stars, questions, literals] = [0, 0, 0];
  for (let at = 0; at < pattern.length; at++) {
    const code = pattern.charCodeAt(at);
    if (code === CODE.star) stars++;
    else if (code === CODE.question) questions++;
    else {
      literals++;
      if (code === CODE.backslash || isHighSurrogate(code)) at++;
    }
  }
  if (stars > limits.patternStars) return `a pattern may hold at most ${limits.patternStars} "*"`;
  if (questions > limits.patternQuestions) return `a pattern may hold at most ${limits.patternQuestions} "?"`;
  const first = pattern.charCodeAt(0);
  const isLeading = first === CODE.star || first === CODE.question;
  if (isLeading && literals < limits.leadingPatternLiterals) {
    return `a pattern that starts with a wildcard needs at least ${limits.leadingPatternLiterals} other characters`;
  }
  const needed = `a pattern needs at least ${limits.patternLiterals} other character`;
  return literals < limits.patternLiterals ? needed : undefined;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isAnything(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at++) if (pattern.charCodeAt(at) !== CODE.star) return false;
  return true;
}
