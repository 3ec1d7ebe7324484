import { INDEX_FIELDS } from '../index/mapping.js';
import type { Query } from './clause-count.js';
import { expansionsOf, hasExpansions, hasNameAlike, misspeltExpansionsOf } from './expansions.js';
import { compoundVariantsOf, type FullText, partsOf, type Term } from './full-text-terms.js';

/** The words of a text, adjacent in one value of a field. */
function phrase(field: string, query: string): Query {
  return { match_phrase: { [field]: { query } } };
}

function anyOf(queries: readonly Query[]): Query {
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  return { bool: { should: queries, minimum_should_match: 1 } };
}

function allOf(queries: readonly Query[]): Query {
  const [only, ...others] = queries;
  if (only !== undefined && others.length === 0) return only;
  return { bool: { filter: queries } };
}

// Longer than OpenSearch's default of three and six: in a shorter word a typo makes another word or ticker.
const MIN_FUZZY_LENGTH = 4;
const FUZZINESS = `AUTO:${MIN_FUZZY_LENGTH},8`;
const LETTERS = /^[\p{L}\p{M}]+$/u;

/** `exact`, or the word's parts with typos, where a part is long enough and all letters (VCS1529 is no typo of VCS1528). */
function withTypos(word: string, exact: Query): Query {
  const parts = partsOf(word);
  if (!parts.some(isFuzzy)) return exact;
  const fuzzyParts = parts.map((part) => (isFuzzy(part) ? fuzzy(part) : stemmed(part)));
  return anyOf([exact, allOf(fuzzyParts)]);
}

function isFuzzy(part: string): boolean {
  return LETTERS.test(part) && [...part].length >= MIN_FUZZY_LENGTH && !hasNameAlike(part);
}

// Both fields: a typo in a long ending changes the stem by far more letters than the word.
function fuzzy(query: string): Query {
  // `constant_score`: every term within the distance matches, not only the fifty closest.
  const match = { query, operator: 'and', fuzziness: FUZZINESS, fuzzy_rewrite: 'constant_score' };
  return anyOf([INDEX_FIELDS.allWords, INDEX_FIELDS.allWordsStemmed].map((field) => ({ match: { [field]: match } })));
}

function stemmed(words: string): Query {
  return phrase(INDEX_FIELDS.allWordsStemmed, words);
}

/** Returns the query of the term at a position. */
type Matcher = (term: Term, place: number, terms: readonly Term[]) => Query;

const inName: Matcher = ({ text }) => phrase(INDEX_FIELDS.nameWords, text);
const anywhere: Matcher = ({ text }) => phrase(INDEX_FIELDS.allWords, text);
// Quoted terms match exactly.
const inflected: Matcher = (term, place, terms) => {
  if (term.quoted) return anywhere(term, place, terms);
  return anyOf([term.text, ...compoundVariantsOf(terms, place)].map(stemmed));
};
const expanded: Matcher = (term, place, terms) => {
  return anyOf([inflected(term, place, terms), ...expansionsOf(terms, place).map(stemmed)]);
};
const misspelt: Matcher = (term, place, terms) => {
  if (term.quoted) return anywhere(term, place, terms);
  const meant = misspeltExpansionsOf(terms, place).map(stemmed);
  return withTypos(term.text, anyOf([expanded(term, place, terms), ...meant]));
};

const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

// "(BCT)," names a ticker too, and so may the whole text, because a ticker may contain spaces.
function tickerQuery({ terms, whole }: FullText): Query {
  const typed = [...terms.map(({ text }) => text), whole];
  return { terms: { ticker: [...new Set([...typed, ...typed.map((text) => text.replace(AROUND, ''))])] } };
}

// The whole name of an asset ranks that asset before those whose longer names contain it.
function wholeNameQuery({ whole }: FullText): Query {
  return { term: { [INDEX_FIELDS.wholeName]: whole.replaceAll('"', '').trim().replace(/\s+/gu, ' ') } };
}

type Filters = (text: FullText) => readonly Query[];

/**
 * The tiers with their scores, best first. A document is in the best tier in which it matches *all* terms, so one misspelt
 * word puts it behind every document that matches exactly. From score 3 down, each tier contains all better ones except
 * the whole name.
 */
const TIERS: readonly (readonly [score: number, Filters])[] = [
  [6, (text) => [tickerQuery(text), ...text.terms.map(anywhere)]],
  [5, (text) => [wholeNameQuery(text)]],
  [4, (text) => text.terms.map(inName)],
  [3, (text) => text.terms.map(anywhere)],
  [2, (text) => text.terms.map(inflected)],
  [1.5, ({ terms }) => (hasExpansions(terms) ? terms.map(expanded) : [])],
  [1, (text) => text.terms.map(misspelt)],
];

/**
 * The query that filters and ranks by full text. The score is that of the tier and depends only on the text and the document,
 * not on how frequent a word is. So the order is stable from page to page while assets come and go.
 */
export function fullTextQuery(text: FullText): Query {
  if (text.terms.length === 0) return { match_none: {} };
  const tiers = TIERS.map(([score, filtersOf]) => [score, filtersOf(text)] as const);
  return { dis_max: { queries: tiers.filter(([, { length }]) => length > 0).map(scored) } };
}

function scored([boost, filter]: readonly [number, readonly Query[]]): Query {
  return { constant_score: { filter: { bool: { filter } }, boost } };
}
