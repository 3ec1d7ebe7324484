import { type CursorScope, nextAddress, nextLink, RequestError } from '@carbon/http';

/**
 * The longest address of a next page: an address may have 16 KiB, but many clients take no head of an answer above that,
 * in which the link stands with other headers.
 */
export const LONGEST_NEXT_ADDRESS = 15 * 1024;
/** What a cursor takes in the usual orders, be the name 512 characters of four bytes; encoded, with its name. */
const CURSOR_ROOM = 3 * 1024;

/** A question, as the address of its next page tells it. */
interface Asked {
  readonly scope: CursorScope;
  /** All that was sent but the cursor. */
  readonly parameters: Readonly<Record<string, string | number>>;
}

/**
 * Refuses a question whose next page would have too long an address, whether or not there is a next page now: the same
 * question must not fail some day because the library has grown, or in the midst of a walk.
 *
 * @throws RequestError uri_too_long
 */
export function refuseTooLong({ scope, parameters }: Asked): void {
  const longest = LONGEST_NEXT_ADDRESS - CURSOR_ROOM;
  const length = nextAddress(scope.route, parameters).length;
  if (length > longest) {
    throw tooLong(
      `Encoded, the question takes ${length} bytes; with ${longest} there is room for the next page's cursor.`,
    );
  }
}

/**
 * The `Link` to the next page.
 *
 * @throws RequestError uri_too_long: where assets are sorted by several long texts, the cursor may need more than its room
 */
export function linkToNext({ scope, parameters }: Asked, cursor: string): string {
  const address = nextAddress(scope.route, { ...parameters, cursor });
  if (address.length > LONGEST_NEXT_ADDRESS) {
    throw tooLong(`The next page's URL would take ${address.length} of ${LONGEST_NEXT_ADDRESS} bytes.`);
  }
  return nextLink(address);
}

function tooLong(what: string): RequestError {
  return new RequestError('uri_too_long', `${what} Shorten the criteria, or sort by fewer fields.`);
}
