import { createHmac, timingSafeEqual } from 'node:crypto';
import { UserFault } from '@carbon/faults';

const TAG_BYTES = 16;
const FORM = /^([A-Za-z0-9_-]{1,512})\.([A-Za-z0-9_-]{22})$/;

/**
 * Makes and checks cursors: a place in a list, signed for the question it belongs to. They hold for that question only,
 * for as long as the secret does, in every instance that knows it.
 */
export class Cursors {
  private readonly signing: string;

  /** The first secret signs, all verify. */
  constructor(private readonly secrets: readonly string[]) {
    const [first] = secrets;
    if (first === undefined) throw new RangeError('Cursors needs at least one secret');
    this.signing = first;
  }

  /** @param scope the route, the account and the parameters that must be the same on the next page */
  seal(scope: readonly string[], place: readonly string[]): string {
    const body = Buffer.from(JSON.stringify(place)).toString('base64url');
    return `${body}.${tagOf(this.signing, scope, body)}`;
  }

  /** The place that was sealed. Throws UserFault `invalid_cursor` for anything but a cursor of this question. */
  open(scope: readonly string[], cursor: string): string[] {
    const [, body = '', tag = ''] = FORM.exec(cursor) ?? [];
    const given = Buffer.from(tag);
    const isOurs = this.secrets.some((secret) => {
      const due = Buffer.from(tagOf(secret, scope, body));
      return given.length === due.length && timingSafeEqual(given, due);
    });
    if (isOurs) return JSON.parse(Buffer.from(body, 'base64url').toString()) as string[];
    throw new UserFault(
      'invalid_cursor',
      'The cursor is not one that was given for this question. Ask without a cursor for the first page.',
    );
  }
}

/** As text, so that only one spelling of a cursor is right. */
function tagOf(secret: string, scope: readonly string[], body: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify([...scope, body]))
    .digest();
  return digest.subarray(0, TAG_BYTES).toString('base64url');
}
