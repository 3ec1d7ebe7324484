import { isLittleWord } from './little-words.js';

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
