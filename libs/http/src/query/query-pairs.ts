/** One `name=value` of a query, decoded; `raw` as it was sent. `broken` says what could not be decoded. */
export interface QueryPair {
  readonly name: string;
  readonly value: string;
  readonly raw: string;
  readonly hasValue: boolean;
  readonly broken?: 'encoding';
}

/**
 * The pairs of a raw URL's query, in order, as `application/x-www-form-urlencoded` ("+" is a space). Nothing is dropped,
 * merged or repaired: an empty piece between two "&" is a pair with an empty name, and what is not valid percent-encoded
 * UTF-8 is marked.
 */
export function queryPairs(rawUrl: string): QueryPair[] {
  const start = rawUrl.indexOf('?');
  const query = start === -1 ? '' : rawUrl.slice(start + 1);
  return query === '' ? [] : query.split('&').map(pairOf);
}

function pairOf(raw: string): QueryPair {
  const equals = raw.indexOf('=');
  const hasValue = equals !== -1;
  const rawName = hasValue ? raw.slice(0, equals) : raw;
  const name = decoded(rawName);
  const value = decoded(hasValue ? raw.slice(equals + 1) : '');
  if (name !== undefined && value !== undefined) return { name, value, raw, hasValue };
  return { name: name ?? rawName, value: value ?? '', raw, hasValue, broken: 'encoding' };
}

function decoded(text: string): string | undefined {
  if (text === '') return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
