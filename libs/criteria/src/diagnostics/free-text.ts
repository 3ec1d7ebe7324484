import type { Hint } from './criteria-error.js';
import { endsInConnector, isSentence, JOINS_HINT } from './language-words.js';
import { worded, writeCondition } from './proposals.js';
import {
  bare,
  endsCondition,
  type FailedText,
  isClosed,
  type Name,
  nameAt,
  opensCondition,
  phraseEnd,
} from './source.js';

/** Free text alone: words with an apostrophe or a hyphen, which are no clause of another language. */
const WORDS =
  /^(?!(?:select|update|delete|insert|limit|true|false)\b)(?=.*[\p{L}\p{Nd}])(?!.*\d{4}-)[\p{L}\p{Nd}\s._'’-]+$/iu;
const GROUPING = /^(?:group\s{1,9}by|having|union|join)\b/i;
const GROUPING_REACH = 20;
/** The hint for a text that is no condition, nor free text. */
export const CONDITION_HINT = 'a condition is a field, an operator and a value';

/** Returns the hint for a word that belongs to no condition: only words alone, or before a condition, are free text. */
export function freeText({ text, before, fields }: FailedText, word: Name): Hint {
  const next = word.position + word.length;
  if (GROUPING.test(text.slice(word.position, next + GROUPING_REACH)))
    return `criteria are conditions alone: ${JOINS_HINT}`;
  if (before !== undefined && (opensCondition(text, next) || endsInConnector(word.text))) return JOINS_HINT;
  const end = Math.max(phraseEnd(text, word.position), next);
  const phrase = text.slice(word.position, end);
  const isFollowed = endsCondition(text, end) && fields.find(nameAt(text, end).replace(/^-/, '')) !== undefined;
  const hasSigns = before === undefined && !isFollowed && /[^\p{L}\p{N}\s._'’!-]/u.test(text);
  const namesField = phrase.split(/\s+/).some((one) => fields.find(one) !== undefined);
  if (hasSigns || namesField || isSentence(phrase)) return CONDITION_HINT;
  const sentence = 'use the fullTextSearch parameter for free text';
  const isFree = WORDS.test(phrase) && (isClosed(text, end) || isFollowed) && before === undefined;
  if (!isFree) return sentence;
  return { ...worded(writeCondition(`name:${bare(phrase)}`), `${sentence}, or `), otherwise: sentence };
}
