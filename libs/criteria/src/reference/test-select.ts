import { checkCriteria } from '../check/check.js';
import type { CheckedNode } from '../check/nodes.js';
import { parseCriteria } from '../parse/parse.js';
import { randomDocument } from './generate.js';
import { type GoldenDocument, golden, randomFields } from './golden.js';
import { matches } from './matches.js';
import { seeded } from './random.js';

const chance = seeded(7);

/** The fixture and as many random documents as make most conditions meet some and not all. */
export const DOCUMENTS: readonly GoldenDocument[] = [
  ...golden.documents,
  ...Array.from({ length: 60 }, (_, index) => randomDocument(chance, randomFields, `random-${index}`)),
];

/** The typed tree of a text that must be accepted. */
export function treeOf(text: string): CheckedNode {
  const limits = { length: 1_000_000, depth: 200, clauses: 10_000, patterns: 10_000 };
  const parsed = parseCriteria(text, limits);
  const checked = parsed.ok ? checkCriteria(parsed.value, randomFields, limits) : parsed;
  if (!checked.ok) throw new Error(`${text}: ${checked.errors.map(({ detail }) => detail).join('; ')}`);
  return checked.value;
}

/** The ids of the documents that meet a condition. */
export function selectByMeaning(meaning: CheckedNode): readonly string[] {
  return DOCUMENTS.filter((document) => matches(meaning, document)).map(({ id }) => id);
}

/** The ids of the documents that a text selects. */
export function select(text: string): readonly string[] {
  return selectByMeaning(treeOf(text));
}
