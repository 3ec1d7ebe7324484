import { ASSET_FIELDS, type Asset, type AssetField, type AssetType, assetSchema } from '@carbon/contracts';
import { MAX_LINE_BYTES } from './asset-lines.js';
import { memberErrors } from './member-errors.js';

/** The result of a check. */
export interface CheckedLine {
  /** The id, when the line has one, valid or not. */
  readonly id: string | undefined;
  /** The canonical JSON of a valid line: equal assets are equal bytes. */
  readonly json: string | undefined;
  /** Everything that is wrong with the line, as sentences. */
  readonly errors: readonly string[];
  /** What the publisher should look at, although the line is valid. */
  readonly warnings: readonly string[];
}

/** What is wrong with a line that is not kept in memory. */
export const TOO_LONG = `is longer than ${MAX_LINE_BYTES} bytes; no asset is`;

const PLURAL: Readonly<Record<AssetType, string>> = { POOL: 'pools', PROJECT: 'projects' };
const MEMBERS = Object.keys(assetSchema.shape).sort() as (keyof Asset)[];
/** Fails on bytes that are not UTF-8; keeps a byte order mark, so that it can be refused. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Readers ignore unknown members; a publisher has most likely mistyped them. */
const publishable = assetSchema.strict();

/** Checks whether a line is an asset that may be published. */
export function checkLine(bytes: Uint8Array): CheckedLine {
  const invalid = (error: string) => ({ id: undefined, json: undefined, errors: [error], warnings: [] });
  const text = decoded(bytes);
  if (text === undefined) return invalid('is not valid UTF-8');
  if (text.startsWith('\uFEFF')) return invalid('starts with a byte order mark; save the file without');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // V8 adds a line and column, always line 1 here.
    return invalid(`is not valid JSON: ${String(Object(error).message).replace(/ \(line 1 column \d+\)/, '')}`);
  }
  const { success, data, error } = publishable.safeParse(value);
  const found = success ? misplacedMembers(data) : memberErrors(error.issues, value);
  const errors = [...found, ...repeatedMembers(text, value)];
  if (!success || errors.length > 0) return { id: idOf(value), json: undefined, errors, warnings: [] };
  return {
    id: data.id,
    json: canonicalJsonOf(data),
    errors,
    warnings: [...futureVintages(data), ...missingForRetirement(data)],
  };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): string | undefined {
  const id: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Canonical JSON (RFC 8785): an asset is flat and its texts are well formed, so sorted members are all it takes. */
function canonicalJsonOf(asset: Asset): string {
  return JSON.stringify(Object.fromEntries(MEMBERS.map((name) => [name, asset[name]])));
}

/** Members of the other asset type. Readers would ignore them, and searches not find them. */
function misplacedMembers(asset: Asset): string[] {
  return Object.entries<AssetField>(ASSET_FIELDS)
    .filter(([name, { on }]) => !on.includes(asset.type) && name in asset)
    .map(([name, { on }]) => `${name} is a field of ${on.map((type) => PLURAL[type]).join(' and ')}; leave it out`);
}

/** Credits of a year that has not begun cannot have been issued: such vintages are plans, or typing errors. */
function futureVintages({ vintages = [] }: Asset): string[] {
  const thisYear = new Date().getUTCFullYear();
  const future = vintages.filter((year) => year > thisYear);
  if (future.length === 0) return [];
  const [first, last] = [Math.min(...future), Math.max(...future)];
  const years = first === last ? `has ${first}` : `has years from ${first} to ${last}`;
  return [`vintages ${years}, after the current year; credits of a later year cannot be issued yet`];
}

/** Credits can be retired from active assets with a price and issued credits only. */
function missingForRetirement({ active, price, issued }: Asset): string[] {
  const missing = Object.entries({ price, issued }).filter(([, value]) => value === undefined);
  if (active !== true || missing.length === 0) return [];
  return [`is active without ${missing.map(([name]) => name).join(' and ')}; no credits can be retired from it`];
}

const STRING = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)/gs;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/**
 * Returns an error for each member that occurs twice, of which `JSON.parse` silently keeps the last. An asset is flat, so a
 * string before a colon is the name of a member.
 */
export function repeatedMembers(text: string, value: unknown): string[] {
  const kept = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  if (colonsIn(text) === kept) return [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [token, colon] of text.matchAll(STRING)) {
    if (colon === undefined) continue;
    const name = String(JSON.parse(token));
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return [...repeated].map((name) => `${name} occurs twice`);
}

/** Counts colons outside of strings, one for each member: a quick test that nearly all lines pass. */
function colonsIn(text: string): number {
  let colons = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) isInString = !isInString;
    else if (isInString && unit === BACKSLASH) at += 1;
    else if (!isInString && unit === COLON) colons += 1;
  }
  return colons;
}
