import { ASSET_FIELDS, type AssetField } from '@carbon/contracts';
import { compile, criteriaFields, parseCriteria, queryOf } from '@carbon/criteria';
import { parseLiqe } from '../../baselines/parse-liqe.js';
import { parseLucene } from '../../baselines/parse-lucene.js';
import type { Dialect } from './strings.js';

/** Who is measured: by name, the language it reads and one run over one text. */
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

/** Text to the query that goes to OpenSearch. @throws Error when the text is refused: then nothing would be measured */
function parseCheckCompile(text: string): unknown {
  const compiled = queryOf(text, FIELDS);
  if (!compiled.ok) throw new Error(`refused: ${text}`);
  return compiled.value;
}

/** The same with the canonical spelling, as the catalog does it for every search. */
function compileWithCanonical(text: string): unknown {
  const compiled = compile(text, FIELDS);
  if (!compiled.ok) throw new Error(`refused: ${text}`);
  return compiled;
}
