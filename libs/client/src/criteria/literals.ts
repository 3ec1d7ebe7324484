/** What criteria can be given as a value. A date is a `Date`, or a text as long as it is precise: `2020-05`. */
export type Value = string | number | boolean | Date;

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
/** Signs of the language, controls, and half a surrogate pair, which cannot be sent as UTF-8. */
const NOT_PLAIN = /[\\"*?\p{Cc}]|\p{Cs}/gu;
const SIGN = /[\\"*?]/;
const WORD_PATTERN = /^[\p{L}\p{M}\p{Nd}\p{Nl}_*?]+$/u;

/**
 * A value as the language reads it back: always the same value, whatever characters are in it.
 *
 * @throws RangeError for a number or a date that is none
 */
export function printValue(value: Value): string {
  if (value instanceof Date) return value.toISOString();
  switch (typeof value) {
    case 'string':
      return quoted(value);
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

/** A text between quotes, in which every sign of the language is a character. */
export function quoted(text: string): string {
  return `"${text.replace(NOT_PLAIN, escaped)}"`;
}

function escaped(unit: string): string {
  if (SIGN.test(unit)) return `\\${unit}`;
  return ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text within a pattern of `like`, with its `*` and `?` meant as characters. */
export function literal(text: string): string {
  return text.replace(/[\\*?]/g, '\\$&');
}

/** A pattern in which a backslash makes a character of the `*`, `?` or backslash behind it; any other is one itself. */
interface Pattern {
  readonly hasWildcard: boolean;
  /** What it matches when it has none. */
  readonly text: string;
  /** Between quotes, as it stands after `like`. */
  readonly printed: string;
}

/** Reads a pattern, so that nothing but its wildcards is a sign. */
export function readPattern(pattern: string): Pattern {
  const pieces = pattern.match(/\\[\\*?]|[*?]|[^\\*?]+|\\/g) ?? [];
  const isWildcard = (piece: string) => piece === '*' || piece === '?';
  const plain = (piece: string) => (piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece);
  const printed = pieces.map((piece) => (isWildcard(piece) ? piece : quoted(plain(piece)).slice(1, -1)));
  return { hasWildcard: pieces.some(isWildcard), text: pieces.map(plain).join(''), printed: `"${printed.join('')}"` };
}

/**
 * A pattern for a single word, which stands without quotes.
 *
 * @throws RangeError when anything but letters, digits, `_` and wildcards is in it, or nothing else than wildcards
 */
export function printWordPattern(pattern: string): string {
  if (WORD_PATTERN.test(pattern) && !/^[*?]*$/.test(pattern)) return pattern;
  throw new RangeError('a pattern for a word holds letters, digits, "_", "*" and "?", and not only "*" and "?"');
}
