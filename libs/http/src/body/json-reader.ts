import { invalidJson, jsonText, placeOf } from './json-text.js';

/** Keys with a meaning to JavaScript's prototypes: refused wherever they stand, so that no copy can be poisoned. */
const POISON = new Set(['__proto__', 'constructor', 'prototype']);

// The tokens of RFC 8259, each matched where the cursor stands; none can backtrack more than linearly.
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/**
 * Reads a JSON body strictly. `JSON.parse` keeps the last of two equal keys, so that a proxy and we could read one body
 * differently; this reader refuses duplicate keys, and besides nesting beyond `depth`, keys that poison
 * prototypes, byte order marks and invalid UTF-8. Throws `invalid_json` saying where.
 */
export function readJson(bytes: Uint8Array, depth: number): unknown {
  return new JsonReader(jsonText(bytes), depth).read();
}

class JsonReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly deepest: number,
  ) {}

  read(): unknown {
    const value = this.value(1);
    this.skipSpace();
    if (this.at < this.text.length) throw this.unexpected('nothing after the value');
    return value;
  }

  private value(depth: number): unknown {
    this.skipSpace();
    const first = this.text[this.at];
    if (first === '{') return this.object(depth);
    if (first === '[') return this.array(depth);
    if (first === '"') return this.string();
    const number = this.take(NUMBER);
    if (number !== undefined) return Number(number);
    const word = this.take(WORD);
    if (word === undefined) throw this.unexpected('a value');
    return WORDS[word];
  }

  private object(depth: number): Record<string, unknown> {
    this.open(depth);
    const object: Record<string, unknown> = {};
    if (this.takes('}')) return object;
    do {
      const key = this.key(object);
      this.expect(':', '":"');
      object[key] = this.value(depth + 1);
    } while (this.takes(','));
    this.expect('}', '"," or "}"');
    return object;
  }

  private array(depth: number): unknown[] {
    this.open(depth);
    const array: unknown[] = [];
    if (this.takes(']')) return array;
    do array.push(this.value(depth + 1));
    while (this.takes(','));
    this.expect(']', '"," or "]"');
    return array;
  }

  private key(object: Record<string, unknown>): string {
    this.skipSpace();
    const start = this.at;
    if (this.text[start] !== '"') throw this.unexpected('a key in double quotes');
    const key = this.string();
    const fault = POISON.has(key) ? 'is not allowed' : Object.hasOwn(object, key) ? 'occurs twice' : undefined;
    if (!fault) return key;
    throw invalidJson(`The key ${JSON.stringify(key.slice(0, 64))} ${fault} (${placeOf(this.text, start)}).`);
  }

  private string(): string {
    const start = this.at;
    try {
      return JSON.parse(this.take(STRING) ?? '') as string;
    } catch {
      this.at = start;
      throw this.unexpected('a closed string with its control characters and backslashes escaped');
    }
  }

  private open(depth: number): void {
    if (depth > this.deepest) throw invalidJson(`The body is nested deeper than ${this.deepest} levels.`);
    this.at += 1;
  }

  private takes(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private expect(character: string, what: string): void {
    if (!this.takes(character)) throw this.unexpected(what);
  }

  private take(token: RegExp): string | undefined {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private skipSpace(): void {
    this.take(SPACE);
  }

  private unexpected(expected: string): Error {
    const place = placeOf(this.text, this.at);
    const seen = this.at < this.text.length ? JSON.stringify(this.text[this.at]) : 'the end';
    return invalidJson(`The body is not valid JSON at ${place}: expected ${expected}, found ${seen}.`);
  }
}
