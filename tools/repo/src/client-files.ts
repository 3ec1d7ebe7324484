import { ASSET_FIELDS, type AssetField, type AssetType, RESULT_FIELDS, SORTABLE } from '@carbon/contracts';
import { PROBLEMS, type ProblemCode } from '@carbon/http';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';

const API_HEAD = '// Made by `npm run generate` from docs/openapi.json, with openapi-typescript.\n\n';

/** The types of every request and answer. @param document the description of the API, as JSON text */
export async function apiTypes(document: string): Promise<string> {
  const description: OpenAPI3 = JSON.parse(document);
  return API_HEAD + astToString(await openapiTypescript(description, { immutable: true }));
}

const FIELDS_HEAD = '// Made by `npm run generate` from libs/contracts/src/asset.ts.';
const FIELDS: readonly (readonly [string, AssetField])[] = Object.entries(ASSET_FIELDS);

/** The client's list of fields: what each may be asked in criteria, and which are found and ordered by. */
export function assetFields(): string {
  return [
    FIELDS_HEAD,
    '',
    ...kindsOf('POOL', 'pools', 'POOL_FIELDS'),
    ...kindsOf('PROJECT', 'projects', 'PROJECT_FIELDS'),
    '/** The fields of a found asset unless a search requests others. */',
    `export type ResultField = ${RESULT_FIELDS.map((name) => `'${name}'`).join(' | ')};`,
    '',
    '/** What assets can be ordered by, where they have it. */',
    `export type SortableField = ${SORTABLE.map((name) => `'${name}'`).join(' | ')};`,
    '',
  ].join('\n');
}

function kindsOf(type: AssetType, plural: string, constant: string): string[] {
  const fields = FIELDS.filter(([, { on }]) => on.includes(type));
  return [
    `/** The fields of ${plural}, and how criteria treat each. \`words\` is text that is found by its words only. */`,
    `export const ${constant} = {`,
    ...fields.map(([name, field]) => `  ${name}: '${kindOf(field)}',`),
    '} as const;',
    '',
  ];
}

function kindOf({ type, exact }: AssetField): string {
  return type === 'text' && !exact ? 'words' : type;
}

const PROBLEMS_HEAD = `// Made by \`npm run generate\` from libs/http/src/errors.ts.
import { type ErrorFacts, ProblemError } from '../errors.js';
`;

/** The client's error classes, one for each code that a problem document may have. */
export function problemClasses(): string {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  return [
    PROBLEMS_HEAD,
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
    `/** ${status} \`${code}\`: ${title}. */`,
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
