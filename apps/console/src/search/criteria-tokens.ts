/** A piece of a criteria text. */
export interface Token {
  readonly kind: 'string' | 'word' | 'sign';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\.\.|[<>!]=?|[=:(),]|(?:\\.|(?!\.\.)[^\s"'<>!=:(),])+/gs;

/** Splits a criteria text roughly, as an editor needs it: the API is the judge of what is valid. */
export function tokensOf(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: piece, index }) => {
    const kind = /^["']/.test(piece) ? 'string' : /^(?:\.\.|[<>!=:(),])/.test(piece) ? 'sign' : 'word';
    return { kind, text: piece, from: index, to: index + piece.length };
  });
}

const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'like', 'between', 'exists', 'is', 'null']);

/** Quotes a value unless it is a plain word or number. */
export function quoted(value: string): string {
  const isPlain = /^(?:[\p{L}][\p{L}\p{N}_-]*|\d+(?:\.\d+)?)$/u.test(value) && !KEYWORDS.has(value.toLowerCase());
  return isPlain ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
