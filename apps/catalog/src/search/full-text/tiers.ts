import { INDEX_FIELDS } from '../../index/mapping.js';
import type { Query } from '../clauses.js';
import { type FullText, formsOf, type Term } from './terms.js';

/** The words of a text, side by side in one value of a field; a single word is the simplest case. */
export function phrase(field: string, text: string): Query {
  return { match_phrase: { [field]: { query: text } } };
}

/** At least one of them. */
export function anyOf(queries: readonly Query[]): Query {
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  return { bool: { should: queries, minimum_should_match: 1 } };
}

/** All of them. */
export function allOf(queries: readonly Query[]): Query {
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  return { bool: { filter: queries } };
}

// The customary lengths: one slip from four letters on, two from eight. Below, a slip makes another word (or ticker).
const SHORTEST = 4;
const SLIPS = `AUTO:${SHORTEST},8`;
const LETTERS = /^[\p{L}\p{M}]+$/u;
const PARTS = /[\p{L}\p{M}\p{N}]+/gu;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/giu;

/**
 * The query for a word that may be misspelt: `inflected`, or else the word's parts, each with slips forgiven where it
 * is long enough and all letters (VCS1529 is not a slip of VCS1528).
 */
export function withTypos(word: string, inflected: Query): Query {
  const parts = word.replace(POSSESSIVE, '').match(PARTS) ?? [];
  if (!parts.some(mayBeMisspelt)) return inflected;
  return anyOf([inflected, allOf(parts.map((part) => (mayBeMisspelt(part) ? slipped(part) : stemmed(part))))]);
}

function mayBeMisspelt(part: string): boolean {
  return LETTERS.test(part) && [...part].length >= SHORTEST;
}

// Both ways of indexing are asked: a slip in a long ending changes the stem by far more letters than the word.
function slipped(part: string): Query {
  return anyOf([INDEX_FIELDS.allWords, INDEX_FIELDS.allWordsStemmed].map((field) => fuzzy(field, part)));
}

function fuzzy(field: string, query: string): Query {
  // Rewritten to one constant clause: every term within reach counts, not only the commonest fifty of the index.
  return { match: { [field]: { query, operator: 'and', fuzziness: SLIPS, fuzzy_rewrite: 'constant_score' } } };
}

function stemmed(part: string): Query {
  return phrase(INDEX_FIELDS.allWordsStemmed, part);
}

/** Says how the term at this place is found. */
type Matcher = (terms: readonly Term[], place: number) => Query;

const textAt = (terms: readonly Term[], place: number): string => terms[place]?.text ?? '';
const isQuoted = (terms: readonly Term[], place: number): boolean => terms[place]?.quoted ?? false;

const inName: Matcher = (terms, place) => phrase(INDEX_FIELDS.nameWords, textAt(terms, place));
const anywhere: Matcher = (terms, place) => phrase(INDEX_FIELDS.allWords, textAt(terms, place));
// Someone who quotes means the words as they are: only bare words may be bent.
const inflected: Matcher = (terms, place) => {
  if (isQuoted(terms, place)) return anywhere(terms, place);
  const forms = [textAt(terms, place), ...formsOf(terms, place)];
  return anyOf(forms.map((form) => phrase(INDEX_FIELDS.allWordsStemmed, form)));
};
const misspelt: Matcher = (terms, place) => {
  if (isQuoted(terms, place)) return anywhere(terms, place);
  return withTypos(textAt(terms, place), inflected(terms, place));
};

const each = (matcher: Matcher, { terms }: FullText): Query[] => terms.map((_, place) => matcher(terms, place));

const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

// "(BCT)," names a ticker too, and so may all of it together, for a ticker may hold spaces.
function isTicker({ terms, whole }: FullText): Query {
  const typed = [...terms.map(({ text }) => text), whole];
  return { terms: { ticker: [...new Set([...typed, ...typed.map((text) => text.replace(AROUND, ''))])] } };
}

// Who types all of a name means that asset, and not the others whose longer names have these words too.
function isName({ whole }: FullText): Query {
  return { term: { [INDEX_FIELDS.wholeName]: whole.replaceAll('"', '').trim().replace(/\s+/gu, ' ') } };
}

/**
 * The tiers, best first. A document stands in the best tier in which *all* terms are found, so a single misspelt word
 * puts it behind every document that has them all. Each tier contains the one before it (but for the name).
 */
const TIERS: readonly ((text: FullText) => Query[])[] = [
  (text) => [isTicker(text), ...each(anywhere, text)],
  (text) => [isName(text)],
  (text) => each(inName, text),
  (text) => each(anywhere, text),
  (text) => each(inflected, text),
  (text) => each(misspelt, text),
];

/**
 * The query that finds and ranks by full text. A document's score is the number of its tier (6 the best, 1 the last)
 * and hangs on nothing but the document: not on how common a word is, nor on what else the index holds. So the order
 * stays the same from page to page while other assets come and go.
 */
export function fullTextQuery(text: FullText): Query {
  if (text.terms.length === 0) return { match_none: {} };
  return { dis_max: { queries: TIERS.map((tier, place) => scored(tier(text), TIERS.length - place)) } };
}

function scored(filter: readonly Query[], boost: number): Query {
  return { constant_score: { filter: { bool: { filter } }, boost } };
}
