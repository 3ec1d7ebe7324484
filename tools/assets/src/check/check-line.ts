import { type Asset, assetSchema, canonicalJson } from '@carbon/contracts';
import type { Line } from '../input/lines.js';
import { MAX_LINE_BYTES } from '../input/lines.js';
import { memberFaults } from './member-faults.js';

/** A line that is an asset: what is published for it, its canonical JSON, so that equal assets are equal bytes. */
export interface SoundLine {
  readonly id: string;
  readonly json: string;
}

/** A line that is none: everything wrong with it, and its id where it has one. */
export interface BadLine {
  readonly id: string | undefined;
  readonly faults: readonly string[];
}

/** Fails on bytes that are not UTF-8; keeps a byte order mark, so that it can be refused. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Readers drop members they do not know; who publishes one has most likely mistyped it. */
const publishable = assetSchema.strict();
const NAME = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)/gs;

/** Whether a line is an asset that may be published, and all that is wrong with it otherwise. */
export function checkLine({ bytes }: Pick<Line, 'bytes'>): SoundLine | BadLine {
  if (bytes === undefined) return bad(`is longer than ${MAX_LINE_BYTES} bytes; no asset is`);
  const text = decoded(bytes);
  if (text === undefined) return bad('is not valid UTF-8');
  if (text.startsWith('\uFEFF')) return bad('starts with a byte order mark; save the file without');
  const json = parsed(text);
  if (json instanceof SyntaxError) return bad(`is not valid JSON: ${readable(json)}`);
  return checkMembers(json, text);
}

/** The JSON of a line that was checked before, and its id; undefined where it has none. */
export function rereadLine({
  bytes,
}: Pick<Line, 'bytes'>): { readonly id: string; readonly json: unknown } | undefined {
  const json = bytes && parsed(bytes.toString('utf8'));
  const id = idOf(json);
  return id === undefined ? undefined : { id, json };
}

function checkMembers(json: unknown, text: string): SoundLine | BadLine {
  const result = publishable.safeParse(json);
  const repeated = repeatedMembers(text);
  const faults = result.success ? repeated : [...memberFaults(result.error.issues, json), ...repeated];
  if (!result.success || faults.length > 0) return { id: idOf(json), faults };
  const asset: Asset = result.data;
  return { id: asset.id, json: canonicalJson(asset) };
}

/**
 * Members that stand twice: `JSON.parse` silently keeps the last. Works on valid JSON, where a string before a colon is a
 * member's name; an asset is flat, so that names inside names need no telling apart.
 */
function repeatedMembers(text: string): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [token, colon] of text.matchAll(NAME)) {
    if (colon === undefined) continue;
    const name: unknown = JSON.parse(token);
    if (typeof name !== 'string') continue;
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return [...repeated].map((name) => `${name} stands there twice`);
}

function bad(fault: string): BadLine {
  return { id: undefined, faults: [fault] };
}

function idOf(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('id' in json)) return undefined;
  return typeof json.id === 'string' ? json.id : undefined;
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

/** V8 adds a line and column, always line 1 here, and quotes what it read, control characters and all. */
function readable({ message }: SyntaxError): string {
  return message.replace(/ \(line 1 column \d+\)/, '').replace(/\p{Cc}/gu, '?');
}
