/**
 * Whether an `If-None-Match` header (RFC 9110, 13.1.2) names an entity tag: `*`, or a list in which it stands, weak or
 * strong. What is no such header names nothing.
 *
 * @param etag one of ours: in quotes, without a quote or a comma within. In a list nothing but commas, spaces and `W/`
 *   stands between a closing quote and an opening one, so it can be found there by its letters alone.
 */
export function names(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag);
}
