import Negotiator from 'negotiator';

/** Some clients name the charset that JSON has anyway. */
const OURS = ['application/json', 'application/json;charset=utf-8'];
const USUAL: ReadonlySet<string> = new Set(['', '*/*', 'application/json', 'application/json, */*']);

/** Browsers send some hundred characters. Reading as many as a head may hold takes milliseconds, before any key is known. */
const LONGEST = 1_000;

/** Whether an `Accept` header (RFC 9110, 12.5.1) leaves room for JSON; none at all does, one that is too long does not. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || USUAL.has(accept.trim())) return true;
  if (accept.length > LONGEST) return false;
  return new Negotiator({ headers: { accept } }).mediaType(OURS) !== undefined;
}
