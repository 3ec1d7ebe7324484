/** The `Link` header (RFC 8288) to the next page: path-absolute, all parameters kept. */
export function nextLink(route: string, parameters: Readonly<Record<string, string | number>>): string {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `<${route}?${query.join('&')}>; rel="next"`;
}
