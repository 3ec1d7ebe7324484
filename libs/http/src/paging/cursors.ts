import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@carbon/contracts';
import { z } from 'zod';
import { RequestError } from '../api-error.js';

/** What a cursor is good for: it fits only this, and `limit` is no part of it. */
export interface CursorScope {
  readonly route: string;
  readonly account: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Where a page ended: the values its list is ordered by, of the last entry shown; null where it has none. */
export type Place = readonly (string | number | null)[];

/** Raised when places come to consist of other values: what was signed before is then no cursor any more. */
const FORM = 'cursor-1';
const TAG_BYTES = 16;
const placeSchema = z.array(z.union([z.string(), z.number(), z.null()])).min(1);

/**
 * Makes and reads the cursors that lead from page to page: the place where the last page ended and a tag over it and its
 * scope. They never expire, and hold in every instance that shares the secrets; the first signs, all verify.
 */
export class Cursors {
  private readonly keys: readonly KeyObject[];
  private readonly signing: KeyObject;

  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
    const [first] = this.keys;
    if (first === undefined) throw new RangeError('Cursors needs at least one secret');
    this.signing = first;
  }

  /** The cursor that goes on behind `after`. */
  write(after: Place, scope: CursorScope): string {
    const content = Buffer.from(JSON.stringify(after));
    return Buffer.concat([tagOf(content, scope, this.signing), content]).toString('base64url');
  }

  /** The place that a cursor means. @throws RequestError invalid_cursor when it was not made by us for this scope */
  read(cursor: string, scope: CursorScope): Place {
    const bytes = Buffer.from(cursor, 'base64url');
    const content = bytes.subarray(TAG_BYTES);
    const tag = bytes.subarray(0, TAG_BYTES);
    const canonical = bytes.toString('base64url') === cursor && tag.length === TAG_BYTES;
    const genuine = canonical && this.keys.some((key) => timingSafeEqual(tag, tagOf(content, scope, key)));
    if (!genuine) throw invalidCursor();
    return placeSchema.parse(JSON.parse(content.toString()));
  }
}

function tagOf(content: Buffer, scope: CursorScope, key: KeyObject): Buffer {
  const signed = canonicalJson([FORM, scope, content.toString('base64')]);
  return createHmac('sha256', key).update(signed).digest().subarray(0, TAG_BYTES);
}

function invalidCursor(): RequestError {
  return new RequestError(
    'invalid_cursor',
    'A cursor holds for the URL it came with, only limit may change. Take the whole next link, or begin again without cursor.',
  );
}
