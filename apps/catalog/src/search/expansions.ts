import { editDistance } from '@carbon/criteria';
import { partsOf, type Term } from './full-text-terms.js';
import { NARROWER_TERMS, SYNONYMS } from './project-types.js';

const PLURAL = /(?<=[^s])s$/;

/** The words of a text as the table has them: "Hydro-electric" is "hydro electric", "stoves" is "stove". */
function named(text: string): string {
  return partsOf(text.toLowerCase())
    .map((word) => word.replace(PLURAL, ''))
    .join(' ');
}

/** For each name in the table: what else it finds. */
const EXPANSIONS: ReadonlyMap<string, readonly string[]> = expansions();
const SINGLE_WORDS = [...EXPANSIONS.keys()].filter((name) => !name.includes(' '));
const NAMES = new Set([...EXPANSIONS.keys(), ...[...EXPANSIONS.values()].flat().map(named)]);
const MAX_NAME_WORDS = Math.max(...[...EXPANSIONS.keys()].map((name) => name.split(' ').length));

function expansions() {
  const same = (name: string) => SYNONYMS.find((names) => names.includes(name)) ?? [name];
  const names = [...SYNONYMS.flat(), ...Object.keys(NARROWER_TERMS)];
  return new Map(
    names.map((name) => {
      const found = [...same(name), ...(NARROWER_TERMS[name] ?? []).flatMap(same)];
      return [named(name), [...new Set(found)].filter((other) => other !== name)] as const;
    }),
  );
}

/** The bound of the query's size: a longer text is searched for as it is. */
const MAX_EXPANDED_TERMS = 8;

/** Whether a term of the text finds more than its words. */
export function hasExpansions(terms: readonly Term[]): boolean {
  return terms.some((_, place) => expansionsOf(terms, place).length > 0);
}

/**
 * What the term at this place finds besides its words, because it is, alone or with its neighbours, a name in the table:
 * "forest" finds "afforestation". Of several names the longest counts.
 */
export function expansionsOf(terms: readonly Term[], place: number): readonly string[] {
  if (terms.length > MAX_EXPANDED_TERMS) return [];
  for (let length = MAX_NAME_WORDS; length > 0; length--) {
    for (let from = Math.max(0, place - length + 1); from <= place; from++) {
      const window = terms.slice(from, from + length);
      const found = window.some(({ quoted }) => quoted) ? undefined : EXPANSIONS.get(textOf(window));
      if (found !== undefined) return found;
    }
  }
  return [];
}

function textOf(terms: readonly Term[]): string {
  return named(terms.map(({ text }) => text).join(' '));
}

// In a shorter word a typo makes another word.
const MIN_MISSPELT_LENGTH = 5;

/** What a name of project types finds that the word is one typo away from: "forrest" finds "afforestation". */
export function misspeltExpansionsOf(terms: readonly Term[], place: number): readonly string[] {
  const word = textOf(terms.slice(place, place + 1));
  if (terms.length > MAX_EXPANDED_TERMS || word.length < MIN_MISSPELT_LENGTH || NAMES.has(word)) return [];
  const meant = SINGLE_WORDS.find((name) => name.length >= MIN_MISSPELT_LENGTH && editDistance(word, name, 2) <= 1);
  return EXPANSIONS.get(meant ?? '') ?? [];
}

// The typos that OpenSearch allows in a word of this length.
const typosIn = (word: string) => (word.length < 8 ? 1 : 2);
const WORDS = [...NAMES].filter((name) => !name.includes(' '));
const ALIKE = new Set(
  WORDS.filter((word) =>
    WORDS.some((other) => other !== word && editDistance(word, other, typosIn(word) + 1) <= typosIn(word)),
  ),
);

/** Whether the word is a name that typos turn into another: "reforestation" is no typo of "deforestation". */
export function hasNameAlike(word: string): boolean {
  return ALIKE.has(named(word));
}
