import type { CriteriaFields } from '../fields.js';
import type { Hint } from './criteria-error.js';
import { suggestField } from './field-names.js';
import { endsInConnector, isSentence, JOINS_HINT } from './language-words.js';
import { shownOnly, worded, writeCondition } from './proposals.js';
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
const CLAUSE = '(?:group\\s{1,9}by|having|union|join|collate)\\b';
const OPENS_CLAUSE = new RegExp(`^${CLAUSE}`, 'i');
/** A clause of SQL that shapes a result, within a value of several words. */
export const CLAUSE_WITHIN = new RegExp(`\\s(?:${CLAUSE}|as\\s\\w+$)`, 'i');
const CLAUSE_REACH = 20;
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const NEGATION_REACH = 12;
const UNIT = /^(?:t|tonnes?|tons?|tco2e?|kg|credits?|usd|eur|dollars?|euros?)$/i;
/** The hint for such a clause. */
export const CLAUSES_HINT = `criteria are conditions alone: ${JOINS_HINT}`;
/** The hint for a text that is no condition, nor free text. */
export const CONDITION_HINT = 'a condition is a field, an operator and a value';

/** Returns the hint for a clause of SQL that shapes a result; undefined if none begins at a word. */
export function clauseOfResult(text: string, { position, length }: Name): string | undefined {
  return OPENS_CLAUSE.test(text.slice(position, position + length + CLAUSE_REACH)) ? CLAUSES_HINT : undefined;
}

/** A word that belongs to no condition, with the words behind it. */
interface Phrase {
  /** The criteria. */
  readonly text: string;
  /** The phrase in them. */
  readonly span: Name;
  readonly end: number;
  readonly isFirst: boolean;
  readonly fields: CriteriaFields;
}

/** The signs of a condition in a phrase, which is then no free text. */
const SIGNS_OF_CONDITION: readonly ((phrase: Phrase) => boolean)[] = [
  ({ text, end, isFirst, fields }) => {
    const isFollowed = endsCondition(text, end) && fields.find(nameAt(text, end).replace(/^-/, '')) !== undefined;
    return isFirst && !isFollowed && /[^\p{L}\p{N}\s._'’!-]/u.test(text);
  },
  ({ span, fields }) =>
    span.text
      .split(/[\s.]+/)
      .some((word) => suggestField(word.replace(/^(?:non?|un|in)(?=.{3})/i, ''), fields) !== undefined),
  ({ text, span }) =>
    /(?:\bnot\s{1,9}|[-!])$/i.test(text.slice(Math.max(0, span.position - NEGATION_REACH), span.position)),
  // `Preis kleiner als 10`
  ({ span }) => /\s\S+\s+\d[\d.,]*$/.test(span.text),
  ({ span }) => isSentence(span.text) || endsInConnector(span.text),
];

/** Returns the hint for a word that belongs to no condition. Words with signs around them, or a sentence, are no free text. */
export function freeText({ text, before, fields }: FailedText, word: Name): Hint {
  const next = word.position + word.length;
  const isFirst = before === undefined;
  const signsOfJoin = [!isFirst, opensCondition(text, next), endsInConnector(word.text)];
  if (signsOfJoin.filter(Boolean).length >= 2) return JOINS_HINT;
  if (!isFirst && UNIT.test(word.text)) return 'a number has no unit';
  const end = Math.max(phraseEnd(text, word.position), next);
  const span = { text: text.slice(word.position, end), position: word.position, length: end - word.position };
  const phrase = { text, span, end, isFirst, fields };
  return SIGNS_OF_CONDITION.some((sign) => sign(phrase)) ? CONDITION_HINT : freeTextHint(phrase);
}

function freeTextHint({ text, span, end, isFirst, fields }: Phrase): Hint {
  const sentence = 'use the fullTextSearch parameter for free text';
  const isFree = WORDS.test(span.text) && isFirst && isClosed(text, end) && endsCondition(text, end);
  const address = fields.list.find(({ type }) => type === 'address');
  if (isFree && address !== undefined && ADDRESS.test(span.text)) return writeCondition(`${address.name}:${span.text}`);
  if (!isFree || /\s/.test(span.text)) return sentence;
  return { ...shownOnly(worded(writeCondition(`name:${bare(span.text)}`), `${sentence}, or `)), otherwise: sentence };
}
