import { INDEX_FIELDS } from '../../indexing/mapping.js';
import type { Query } from '../query.js';
import { allOf, anyOf, phrase } from './clauses-of-words.js';

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
