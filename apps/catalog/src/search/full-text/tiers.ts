import { INDEX_FIELDS } from '../../indexing/mapping.js';
import type { Query } from '../query.js';
import type { FullText, Term } from './terms.js';
import { withTypos } from './typos.js';

type Matcher = (term: Term) => Query;

const phrase = (field: string, { text }: Term): Query => ({ match_phrase: { [field]: { query: text } } });

const inName: Matcher = (term) => phrase(INDEX_FIELDS.nameWords, term);
const anywhere: Matcher = (term) => phrase(INDEX_FIELDS.allWords, term);
// Someone who quotes means the words as they are: only bare words may be bent.
const inflected: Matcher = (term) => (term.quoted ? anywhere(term) : phrase(INDEX_FIELDS.allWordsStemmed, term));
const misspelt: Matcher = (term) => (term.quoted ? anywhere(term) : withTypos(term.text, inflected(term)));

const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

// "(BCT)," names a ticker too, and so may all of it together, for a ticker may hold spaces.
function isTicker({ terms, whole }: FullText): Query {
  const typed = [...terms.map(({ text }) => text), whole];
  return { terms: { ticker: [...new Set([...typed, ...typed.map((text) => text.replace(AROUND, ''))])] } };
}

/**
 * The tiers, best first. A document stands in the best tier in which *all* terms are found, so a single misspelt word
 * puts it behind every document that has them all. Each tier contains the one before it (but for the name).
 */
const TIERS: readonly ((text: FullText) => Query[])[] = [
  (text) => [isTicker(text), ...text.terms.map(anywhere)],
  (text) => text.terms.map(inName),
  (text) => text.terms.map(anywhere),
  (text) => text.terms.map(inflected),
  (text) => text.terms.map(misspelt),
];

/**
 * The query that finds and ranks by full text. A document's score is the number of its tier (5 the best, 1 the last)
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
