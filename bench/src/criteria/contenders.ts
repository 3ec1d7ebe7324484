import { ASSET_FIELDS, type AssetField } from '@carbon/contracts';
import { compile, criteriaFields, parseCriteria, queryOf } from '@carbon/criteria';
import { parseLiqe, parseLucene } from '../../baselines/parsers.js';
import type { Dialect } from './strings.js';

/** The contenders: by name, the language and a function that parses one text. */
export const CONTENDERS = {
  ours: { dialect: 'ours', run: parseCheckCompile },
  oursWithCanonical: { dialect: 'ours', run: compileWithCanonical },
  oursParse: { dialect: 'ours', run: parseCriteria },
  liqe: { dialect: 'liqe', run: parseLiqe },
  lucene: { dialect: 'lucene', run: parseLucene },
} as const satisfies Record<string, { readonly dialect: Dialect; readonly run: (text: string) => unknown }>;

export type Contender = keyof typeof CONTENDERS;

const FIELDS = criteriaFields(
  Object.entries<AssetField>(ASSET_FIELDS)
    .filter(([, { on }]) => on.includes('PROJECT'))
    .map(([name, { type, multi = false, exact = false }]) => ({ name, type, multi, exact })),
);

/** Compiles a text to the query for OpenSearch. @throws Error if the text is rejected */
function parseCheckCompile(text: string): unknown {
  const compiled = queryOf(text, FIELDS);
  if (!compiled.ok) throw new Error(`refused: ${text}`);
  return compiled.value;
}

/** The same with the canonical form, as the catalog does it for every search. */
function compileWithCanonical(text: string): unknown {
  const compiled = compile(text, FIELDS);
  if (!compiled.ok) throw new Error(`refused: ${text}`);
  return compiled;
}
