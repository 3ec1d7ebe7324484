/** What a query takes as it is, though `encodeURIComponent` makes three characters of it; a space is "+" in a query. */
const PLAIN: Readonly<Record<string, string>> = { '%20': '+', '%3A': ':', '%3D': '=', '%2F': '/' };

/**
 * The address of the next page: path-absolute, all parameters kept, none longer than it must be. A comma stays encoded,
 * for there are readers of `Link` that take every comma for the end of a link.
 */
export function nextAddress(route: string, parameters: Readonly<Record<string, string | number>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodedInQuery(String(value))}`);
  return `${route}?${query.join('&')}`;
}

/** The `Link` header (RFC 8288) that leads to the next page. */
export function nextLink(address: string): string {
  return `<${address}>; rel="next"`;
}

function encodedInQuery(value: string): string {
  return encodeURIComponent(value).replace(/%(?:20|3A|3D|2F)/g, (code) => PLAIN[code] ?? code);
}
