/**
 * Stop words: articles, prepositions and "and". "or", "not" and "without" are not stop words, because a search without
 * them means something else.
 */
const STOP_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'the', 'to', 'with']);

/** A word, or a phrase in quotes, whose words must be adjacent and exactly as typed. */
export interface Term {
  readonly text: string;
  readonly quoted: boolean;
}

/** The value of `fullTextSearch`, split into terms. */
export interface FullText {
  /** Only white space: the full text filters nothing. */
  readonly isBlank: boolean;
  /** A document must match all of these; if the text is not blank and has no terms, nothing matches. */
  readonly terms: readonly Term[];
  /** The whole text, because a ticker may contain spaces. */
  readonly whole: string;
}

const QUOTES = /[“”„‟＂]/gu;
// The characters that the index's tokenizer treats as words. Fractions and superscript
// digits (category No) are not, unless the term also has a letter.
const SEARCHABLE = /[\p{L}\p{Nd}\p{Nl}\p{Extended_Pictographic}]/u;

/** Splits a full text. There are no operators and no errors. */
export function readFullText(text: string): FullText {
  const normalized = text.normalize('NFC').replace(QUOTES, '"').trim();
  const terms = termsIn(normalized).filter(({ text }) => SEARCHABLE.test(text));
  const unique = new Map(terms.map((term) => [`${term.quoted} ${term.text.toLowerCase()}`, term]));
  return { isBlank: normalized === '', terms: withoutStopWords([...unique.values()]), whole: normalized };
}

// Every second piece between quotes is a phrase. An unpaired last quote is ignored.
function termsIn(text: string): Term[] {
  const pieces = text.split('"');
  const unpaired = pieces.length % 2 === 0 ? pieces.length - 1 : undefined;
  return pieces.flatMap((piece, place) => {
    const quoted = place % 2 === 1 && place !== unpaired;
    return (quoted ? [piece.trim()] : piece.split(/\s+/u)).map((text) => ({ text, quoted }));
  });
}

// "forests in Scotland" finds forests there, whether or not their text contains "in". Quoted, or alone, "in" is a term.
function withoutStopWords(terms: readonly Term[]): readonly Term[] {
  const rest = terms.filter(({ text, quoted }) => quoted || !STOP_WORDS.has(text.toLowerCase()));
  return rest.length > 0 ? rest : terms;
}

const PARTS = /[\p{L}\p{M}\p{N}]+/gu;
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/giu;

/** The runs of letters and digits in a text, without the s of a possessive. */
export function partsOf(text: string): readonly string[] {
  return text.replace(POSSESSIVE, '').match(PARTS) ?? [];
}

// Joining two shorter words nearly always makes some other word.
const MIN_JOINED_LENGTH = 3;
const MIN_PART_LENGTH = 2;
const MIN_SPLIT_LENGTH = 5;
const MAX_SPLIT_LENGTH = 20;
// Scripts that separate words with spaces; for others the index's tokenizer finds the words.
const LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+$/u;
const JOINT = /[-‐‑_'’]/gu;

/**
 * Compound variants of the term at this place, because "windfarm" is also written "wind farm" and "wind-farm": joined to the
 * previous or next word, without its hyphens, and split into two words at every place.
 */
export function compoundVariantsOf(terms: readonly Term[], place: number): string[] {
  const term = terms[place];
  if (term === undefined || term.quoted) return [];
  const joined = [joinedText(terms[place - 1], term), joinedText(term, terms[place + 1]), withoutJoints(term.text)];
  return [...joined.filter((form) => form !== undefined), ...splits(term.text)];
}

function joinedText(left: Term | undefined, right: Term | undefined): string | undefined {
  return left && right && isJoinable(left) && isJoinable(right) ? left.text + right.text : undefined;
}

function isJoinable({ text, quoted }: Term): boolean {
  return !quoted && LETTERS.test(text) && [...text].length >= MIN_JOINED_LENGTH;
}

function withoutJoints(text: string): string | undefined {
  const bare = text.replace(JOINT, '');
  return bare !== text && LETTERS.test(bare) ? bare : undefined;
}

/** Each split is searched as a phrase. */
function splits(text: string): string[] {
  const letters = [...text];
  if (!LETTERS.test(text) || letters.length < MIN_SPLIT_LENGTH || letters.length > MAX_SPLIT_LENGTH) return [];
  const cuts = letters.length - 2 * MIN_PART_LENGTH + 1;
  return Array.from({ length: cuts }, (_, cut) => {
    const at = cut + MIN_PART_LENGTH;
    return `${letters.slice(0, at).join('')} ${letters.slice(at).join('')}`;
  });
}
