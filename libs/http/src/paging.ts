import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@carbon/contracts';
import { z } from 'zod';
import { RequestError } from './errors.js';

/** The query a cursor belongs to; `limit` is not part of it. */
export interface CursorScope {
  readonly route: string;
  readonly account: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The sort values of the last entry of a page, after which the next page starts; null where the entry has none. */
export type SortValues = readonly (string | number | null)[];

/** Change it when sort values change their meaning: earlier cursors are then invalid. */
const FORM = 'cursor-1';
const TAG_BYTES = 16;
const sortValuesSchema = z.array(z.union([z.string(), z.number(), z.null()])).min(1);

/**
 * Writes and reads signed cursors: the sort values at the end of a page, and an HMAC over them and their scope. Cursors
 * never expire and are valid in every instance that shares the secrets. The first secret signs, all verify.
 */
export class Cursors {
  private readonly keys: readonly KeyObject[];
  private readonly signingKey: KeyObject;

  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
    const [first] = this.keys;
    if (first === undefined) throw new RangeError('Cursors needs at least one secret');
    this.signingKey = first;
  }

  write(after: SortValues, scope: CursorScope): string {
    const content = Buffer.from(JSON.stringify(after));
    return Buffer.concat([tagOf(content, scope, this.signingKey), content]).toString('base64url');
  }

  /** @throws RequestError `invalid_cursor` unless the cursor was written for this scope */
  read(cursor: string, scope: CursorScope): SortValues {
    const bytes = Buffer.from(cursor, 'base64url');
    const tag = bytes.subarray(0, TAG_BYTES);
    const content = bytes.subarray(TAG_BYTES);
    const isCanonical = bytes.toString('base64url') === cursor && tag.length === TAG_BYTES;
    if (isCanonical && this.keys.some((key) => timingSafeEqual(tag, tagOf(content, scope, key)))) {
      return sortValuesSchema.parse(JSON.parse(content.toString()));
    }
    throw new RequestError(
      'invalid_cursor',
      'This is not a cursor of this query; only `limit` may change between pages. Follow the whole `next` link, or start again without `cursor`.',
    );
  }
}

function tagOf(content: Buffer, scope: CursorScope, key: KeyObject): Buffer {
  const signed = canonicalJson([FORM, scope, content.toString('base64')]);
  return createHmac('sha256', key).update(signed).digest().subarray(0, TAG_BYTES);
}

/** What a query may hold unencoded although `encodeURIComponent` encodes it; a space is "+". */
const UNENCODED: Readonly<Record<string, string>> = { '%20': '+', '%3A': ':', '%3D': '=', '%2F': '/' };

/**
 * Returns the path-absolute URL of the next page with every parameter, as short as possible. Commas stay encoded, because
 * some parsers of `Link` end a link at any comma.
 */
export function nextPageUrl(route: string, parameters: Readonly<Record<string, string | number>>): string {
  const encode = (value: string | number) =>
    encodeURIComponent(value).replace(/%(?:20|3A|3D|2F)/g, (code) => UNENCODED[code] ?? code);
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`);
  return `${route}?${query.join('&')}`;
}

/** Returns the `Link` header (RFC 8288) to the next page. */
export function nextLink(url: string): string {
  return `<${url}>; rel="next"`;
}
