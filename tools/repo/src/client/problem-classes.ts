import { PROBLEMS, type ProblemCode } from '@carbon/http';

const HEAD = `// Made by \`npm run generate\` from libs/http/src/errors.ts.
import { type ErrorFacts, ProblemError } from '../errors.js';
`;

/** The client's error classes, one for each code that a problem document may have. */
export function problemClasses(): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return [
    HEAD,
    ...codes.map(classOf),
    '/** The class of each code. */',
    'export const PROBLEM_CLASSES = {',
    ...codes.map((code) => `  ${code}: ${classNameOf(code)},`),
    '} as const;',
    '',
    '/** A code that the service gives a problem. */',
    'export type ProblemCode = keyof typeof PROBLEM_CLASSES;',
    '',
    '/** Any problem whose code this client knows; `switch (error.code)` tells them apart. */',
    'export type KnownProblem = InstanceType<(typeof PROBLEM_CLASSES)[ProblemCode]>;',
    '',
    '/** The error of a code: of its class, or of the general one when the code is newer than this client. */',
    'export function problemOf(code: string, detail: string, facts: ErrorFacts): ProblemError {',
    '  if (!isKnown(code)) return new ProblemError(code, detail, facts);',
    '  const OfCode = PROBLEM_CLASSES[code] as new (code: ProblemCode, detail: string, facts: ErrorFacts) => ProblemError;',
    '  return new OfCode(code, detail, facts);',
    '}',
    '',
    'function isKnown(code: string): code is ProblemCode {',
    '  return Object.hasOwn(PROBLEM_CLASSES, code);',
    '}',
    '',
  ].join('\n');
}

function classOf(code: ProblemCode): string {
  const { status, title } = PROBLEMS[code];
  const name = classNameOf(code);
  return [
    `/** ${status} \`${code}\`: ${title.charAt(0).toLowerCase()}${title.slice(1)}. */`,
    `export class ${name} extends ProblemError<'${code}'> {`,
    `  override readonly name = '${name}';`,
    '}',
    '',
  ].join('\n');
}

/** `invalid_json` is `InvalidJsonError`. */
function classNameOf(code: string): string {
  const words = code.replace(/_error$/, '').split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
}
