import type { TypeRule } from './type-rule.js';

/** The rule of types whose values are no text: a wildcard has no meaning there. */
export function refusePattern(hint: string): TypeRule['resembles'] {
  return ({ field, findings }, value) =>
    findings.add('PATTERN_NOT_ALLOWED', value, `wildcards cannot be used with ${field.type} field "${field.name}"`, {
      hint,
    });
}
