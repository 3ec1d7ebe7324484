import { echo } from '../../errors/echo.js';
import { refusePattern } from './pattern.js';
import type { TypeRule } from './type-rule.js';
import { UNORDERED } from './unordered.js';

const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** What people write instead; refused with the rewrite, since `1` could as well be a number. */
const REWRITES: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['y', 'true'],
  ['on', 'true'],
  ['1', 'true'],
  ['no', 'false'],
  ['n', 'false'],
  ['off', 'false'],
  ['0', 'false'],
]);

/** `true` and `false` in any letter case. */
export const BOOLEAN: TypeRule = {
  ...UNORDERED,
  resembles: refusePattern('write true or false'),
  equals: ({ field, findings }, node) => {
    const word = node.text.toLowerCase();
    const value = VALUES.get(word);
    if (value !== undefined) return { kind: 'equal', field, value };
    return findings.add('INVALID_VALUE', node, `"${echo(node.text)}" is not a boolean`, {
      expectedType: 'boolean',
      hint: `write ${REWRITES.get(word) ?? 'true or false'}`,
      allowed: [...VALUES.keys()],
    });
  },
};
