import { assetSchema } from '@carbon/contracts';
import type { Line } from '../input/lines.js';
import { MAX_LINE_BYTES } from '../input/lines.js';
import { canonicalAsset } from './canonical-asset.js';
import { memberFaults } from './member-faults.js';
import { misplacedMembers } from './misplaced-members.js';
import { repeatedMembers } from './repeated-members.js';

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

function checkMembers(json: unknown, text: string): SoundLine | BadLine {
  const { success, data, error } = publishable.safeParse(json);
  const faults = success ? misplacedMembers(data) : memberFaults(error.issues, json);
  const all = [...faults, ...repeatedMembers(text, json)];
  return success && all.length === 0 ? { id: data.id, json: canonicalAsset(data) } : { id: idOf(json), faults: all };
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
