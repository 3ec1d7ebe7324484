/** A value in criteria. A date is a `Date`, or a text of its precision: `2020-05`. */
export type Value = string | number | boolean | Date;

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
/** Special characters, controls, and lone surrogates, which UTF-8 cannot encode. */
const NOT_PLAIN = /[\\"*?\p{Cc}]|\p{Cs}/gu;
const SIGN = /[\\"*?]/;
const WORD_PATTERN = /^[\p{L}\p{M}\p{Nd}\p{Nl}_*?]+$/u;

/** Returns a value as a literal of the language. @throws RangeError for an invalid number or date */
export function printValue(value: Value): string {
  if (value instanceof Date) return value.toISOString();
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'number':
      return printNumber(value);
    case 'boolean':
      return String(value);
    default:
      throw new TypeError(
        `criteria take texts, numbers, booleans and dates, not ${value === null ? null : typeof value}`,
      );
  }
}

function printNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  throw new RangeError(`criteria take finite numbers, not ${value}`);
}

/** Returns a quoted and escaped text. */
export function quote(text: string): string {
  return `"${text.replace(NOT_PLAIN, escaped)}"`;
}

function escaped(unit: string): string {
  if (SIGN.test(unit)) return `\\${unit}`;
  return ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Escapes a text for a pattern of `like`: its `*` and `?` are ordinary characters. */
export function literal(text: string): string {
  return text.replace(/[\\*?]/g, '\\$&');
}

/** A pattern in which a backslash escapes `*`, `?` or a backslash; any other backslash is itself. */
interface Pattern {
  readonly hasWildcard: boolean;
  /** The text that it matches without wildcards. */
  readonly text: string;
  /** The quoted operand of `like`. */
  readonly printed: string;
}

/** Parses a pattern: only its wildcards are special. */
export function readPattern(pattern: string): Pattern {
  const pieces = pattern.match(/\\[\\*?]|[*?]|[^\\*?]+|\\/g) ?? [];
  const isWildcard = (piece: string) => piece === '*' || piece === '?';
  const plain = (piece: string) => (piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece);
  const printed = pieces.map((piece) => (isWildcard(piece) ? piece : quote(plain(piece)).slice(1, -1)));
  return { hasWildcard: pieces.some(isWildcard), text: pieces.map(plain).join(''), printed: `"${printed.join('')}"` };
}

/** Returns an unquoted pattern for one word. @throws RangeError unless it has letters, digits, `_` and wildcards */
export function printWordPattern(pattern: string): string {
  if (WORD_PATTERN.test(pattern) && !/^[*?]*$/.test(pattern)) return pattern;
  throw new RangeError('a word pattern must have letters, digits, "_", "*" and "?", and not only "*" and "?"');
}
