/** The operators that are words. A spec compares them with those of the criteria. */
export const OPERATOR_WORDS = ['between', 'in', 'like', 'exists'] as const;

/** A piece of a criteria text. */
export interface Token {
  readonly kind: 'string' | 'word' | 'sign';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\.\.|[<>!]=?|[=:(),]|[&|]+|(?:\\.|(?!\.\.)[^\s"'<>!=:(),&|])+/gs;

/** Splits a criteria text roughly, as an editor needs it: the API is the judge of what is valid. */
export function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: piece, index }) => {
    const kind = /^["']/.test(piece) ? 'string' : /^(?:\.\.|[<>!=:(),])/.test(piece) ? 'sign' : 'word';
    return { kind, text: piece, from: index, to: index + piece.length };
  });
}

/** Returns a text as a value of criteria, in quotes. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
