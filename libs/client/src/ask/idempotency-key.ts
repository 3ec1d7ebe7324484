const FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * The key under which a POST has one effect, however often it is sent: the caller's, else 128 random bits. Those come
 * from `getRandomValues`, since browsers have `randomUUID` on secure pages only.
 *
 * @throws RangeError when the caller's is none; TypeError when it is an API key, which would be shown as this one may be
 */
export function idempotencyKey(given?: string): string {
  if (given?.includes('cl_live_')) throw new TypeError('an API key is no idempotency key; it goes into `key`');
  if (given !== undefined && !FORM.test(given)) {
    throw new RangeError('an idempotency key is 1 to 255 visible ASCII characters, without spaces');
  }
  return given ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), inHex).join('');
}

function inHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
