import { RequestError } from './errors.js';

/** Keys that could pollute a JavaScript prototype. */
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

// The tokens of RFC 8259, matched at the reader's position. Each takes linear time.
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Rejects bytes that are not UTF-8; keeps a byte order mark, so that it can be rejected. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON body strictly. `JSON.parse` keeps the last of two equal keys, so a proxy and we could read one body
 * differently. This reader rejects duplicate keys, nesting deeper than `maxDepth`, keys that pollute prototypes, byte
 * order marks and invalid UTF-8 (RFC 8259, 8.1).
 * @throws RequestError `invalid_json` with the position
 */
export function readJson(bytes: Uint8Array, maxDepth: number): unknown {
  if (bytes.length === 0) throw invalidJson('The body is empty. Send a JSON object.');
  const text = decode(bytes);
  if (text.startsWith('\uFEFF')) throw invalidJson('The body starts with a byte order mark. Remove it.');
  return new JsonReader(text, maxDepth).read();
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw invalidJson('The body is not valid UTF-8. Encode it as UTF-8.', cause);
  }
}

class JsonReader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
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
    const number = this.match(NUMBER);
    if (number !== undefined) return Number(number);
    const word = this.match(WORD);
    if (word === undefined) throw this.unexpected('a value');
    return WORDS[word];
  }

  private object(depth: number): Record<string, unknown> {
    this.open(depth);
    const object: Record<string, unknown> = {};
    if (this.accept('}')) return object;
    do {
      const key = this.key(object);
      this.expect(':', '":"');
      object[key] = this.value(depth + 1);
    } while (this.accept(','));
    this.expect('}', '"," or "}"');
    return object;
  }

  private array(depth: number): unknown[] {
    this.open(depth);
    const array: unknown[] = [];
    if (this.accept(']')) return array;
    do array.push(this.value(depth + 1));
    while (this.accept(','));
    this.expect(']', '"," or "]"');
    return array;
  }

  private key(object: Record<string, unknown>): string {
    this.skipSpace();
    const start = this.at;
    if (this.text[start] !== '"') throw this.unexpected('a key in double quotes');
    const key = this.string();
    const isDuplicate = Object.hasOwn(object, key);
    if (!isDuplicate && !PROTOTYPE_KEYS.has(key)) return key;
    const name = JSON.stringify(key.slice(0, 64));
    throw invalidJson(`The key ${name} ${isDuplicate ? 'occurs twice' : 'is not allowed'} (${this.location(start)}).`);
  }

  private string(): string {
    const start = this.at;
    try {
      return JSON.parse(this.match(STRING) ?? '') as string;
    } catch {
      this.at = start;
      throw this.unexpected('a closed string with its control characters and backslashes escaped');
    }
  }

  private open(depth: number): void {
    if (depth > this.maxDepth) throw invalidJson(`The body is nested deeper than ${this.maxDepth} levels.`);
    this.at += 1;
  }

  private accept(character: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private expect(character: string, what: string): void {
    if (!this.accept(character)) throw this.unexpected(what);
  }

  private match(token: RegExp): string | undefined {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private skipSpace(): void {
    this.match(SPACE);
  }

  private unexpected(expected: string): Error {
    const found = this.at < this.text.length ? JSON.stringify(this.text[this.at]) : 'the end';
    return invalidJson(
      `The body is not valid JSON at ${this.location(this.at)}: expected ${expected}, found ${found}.`,
    );
  }

  /** `line 1, column 5`, counted from 1. */
  private location(index: number): string {
    const before = this.text.slice(0, index);
    return `line ${before.split('\n').length}, column ${index - before.lastIndexOf('\n')}`;
  }
}

function invalidJson(detail: string, cause?: unknown): RequestError {
  return new RequestError('invalid_json', detail, { cause });
}
