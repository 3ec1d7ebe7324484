/**
 * Articles, prepositions and "and": what holds a sentence together and says nothing about an asset. "or", "not" and
 * "without" are no such words: who types them asks for something else than without them.
 */
const LITTLE_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'the', 'to', 'with']);

/** Whether a word as typed is one that need not be found when others are typed with it. */
export function isLittleWord(text: string): boolean {
  return LITTLE_WORDS.has(text.toLowerCase());
}

/** One thing to find: a word, or a phrase in quotes, whose words must stand side by side exactly as typed. */
export interface Term {
  readonly text: string;
  readonly quoted: boolean;
}

/** What someone typed, taken apart. */
export interface FullText {
  /** Nothing but white space was typed: nothing is filtered. */
  readonly blank: boolean;
  /** All of these must be found; without any, although something was typed, nothing is. */
  readonly terms: readonly Term[];
  /** Everything as typed, in case a ticker holds spaces. */
  readonly whole: string;
}

const QUOTES = /[“”„‟＂]/gu;
// What the index's tokenizer makes a word of. Fractions, and raised digits without a letter (No), are none.
const SEARCHABLE = /[\p{L}\p{Nd}\p{Nl}\p{Extended_Pictographic}]/u;

/** Takes apart what someone typed. There are no operators, and nothing is an error. */
export function readFullText(text: string): FullText {
  const whole = text.normalize('NFC').replace(QUOTES, '"').trim();
  return { blank: whole === '', terms: telling(unique(termsIn(whole)).filter(isSearchable)), whole };
}

// Quotes that pair hold a phrase: every second piece. The last one, unpaired, is ignored.
function termsIn(text: string): Term[] {
  const pieces = text.split('"');
  const unpaired = pieces.length % 2 === 0 ? pieces.length - 1 : undefined;
  return pieces.flatMap((piece, place) => {
    const quoted = place % 2 === 1 && place !== unpaired;
    return (quoted ? [piece.trim()] : piece.split(/\s+/u)).map((text) => ({ text, quoted }));
  });
}

function isSearchable({ text }: Term): boolean {
  return SEARCHABLE.test(text);
}

// "forests in Scotland" means a forest that is there, not one whose text says "in". Quoted, or alone, "in" is meant.
function telling(terms: readonly Term[]): readonly Term[] {
  const rest = terms.filter(({ text, quoted }) => quoted || !isLittleWord(text));
  return rest.length > 0 ? rest : terms;
}

function unique(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [`${term.quoted} ${term.text.toLowerCase()}`, term])).values()];
}

// Below, almost any two words make a third one.
const SHORTEST_TO_JOIN = 3;
const SHORTEST_PART = 2;
const SHORTEST_TO_PART = 5;
const LONGEST_TO_PART = 20;
// Scripts that part words by spaces; of others the index's tokenizer makes words by itself.
const LETTERS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]+$/u;
const JOINT = /[-‐‑_'’]/gu;

/**
 * Other ways to write the term at this place, for one writes "windfarm", another "wind farm" or "wind-farm": joined to
 * the word before or after it, without its hyphens, or parted into two words wherever it can be.
 */
export function formsOf(terms: readonly Term[], place: number): string[] {
  const term = terms[place];
  if (term === undefined || term.quoted) return [];
  const neighbours = [joined(terms[place - 1], term), joined(term, terms[place + 1])];
  return [...neighbours, withoutJoints(term.text)].filter((form) => form !== undefined).concat(parted(term.text));
}

function joined(left: Term | undefined, right: Term | undefined): string | undefined {
  return left && right && mayBeJoined(left) && mayBeJoined(right) ? left.text + right.text : undefined;
}

function mayBeJoined({ text, quoted }: Term): boolean {
  return !quoted && LETTERS.test(text) && [...text].length >= SHORTEST_TO_JOIN;
}

function withoutJoints(text: string): string | undefined {
  const bare = text.replace(JOINT, '');
  return bare !== text && LETTERS.test(bare) ? bare : undefined;
}

/** Each is searched for as a phrase, so only words that stand side by side are found. */
function parted(text: string): string[] {
  const letters = [...text];
  if (!LETTERS.test(text) || letters.length < SHORTEST_TO_PART || letters.length > LONGEST_TO_PART) return [];
  const cuts = letters.length - 2 * SHORTEST_PART + 1;
  return Array.from({ length: cuts }, (_, cut) => {
    const at = cut + SHORTEST_PART;
    return `${letters.slice(0, at).join('')} ${letters.slice(at).join('')}`;
  });
}
