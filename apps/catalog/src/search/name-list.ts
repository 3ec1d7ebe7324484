import type { AssetFieldName } from '@carbon/contracts';
import { suggestionFor } from '@carbon/faults';

/** What a list of field names may hold. */
export interface NameRule {
  /** Completes the sentence "names x, which …": "cannot be sorted by". */
  readonly otherwise: string;
  readonly known: readonly AssetFieldName[];
  /** Fields that only the other resource has, and its name. */
  readonly elsewhere: { readonly names: readonly string[]; readonly resource: string };
}

/** What is wrong with one name, as an item of the problem shows it. */
export interface NameFlaw {
  readonly detail: string;
  readonly advice: { readonly suggestion?: string; readonly allowed?: readonly string[] };
}

const LONGEST_SHOWN = 64;

/** What is wrong with a list of names, if anything: an empty, unknown or repeated one. */
export function flawOfNames(names: readonly string[], rule: NameRule): NameFlaw | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (name === '') return { detail: 'holds an empty name; separate names by single commas', advice: {} };
    if (!isKnown(name, rule)) return unknown(name, rule);
    if (seen.has(name)) return { detail: `names ${name} more than once; name each field once`, advice: {} };
    seen.add(name);
  }
  return undefined;
}

function isKnown(name: string, { known }: NameRule): boolean {
  return known.some((one) => one === name);
}

function unknown(name: string, { otherwise, known, elsewhere }: NameRule): NameFlaw {
  const shown = name.slice(0, LONGEST_SHOWN);
  const suggestion = suggestionFor(name, known);
  if (suggestion !== undefined) {
    return { detail: `names ${shown}, which ${otherwise}; did you mean ${suggestion}?`, advice: { suggestion } };
  }
  const only = elsewhere.names.includes(name) ? `only ${elsewhere.resource} have` : otherwise;
  return { detail: `names ${shown}, which ${only}; use ${known.join(', ')}`, advice: { allowed: known } };
}
