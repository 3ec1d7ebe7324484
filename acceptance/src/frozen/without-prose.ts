/** Members of OpenAPI, AsyncAPI and JSON Schema objects that only people read. */
const PROSE = new Set(['title', 'description', 'summary', 'example', 'examples', 'externalDocs', 'x-request']);
/** Members whose own members have chosen names: a field may be called `title`. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'headers',
  'schemas',
  'responses',
  'securitySchemes',
  '$defs',
]);
/** Members whose values are data. */
const VALUES = new Set(['default', 'const']);
/** Lists whose order does not matter. */
const SETS = new Set(['required', 'enum']);

/** Returns a description of an interface without its prose, and with its members in order of their names. */
export function withoutProse(description: unknown): unknown {
  return prune(description, '');
}

function prune(value: unknown, name: string): unknown {
  if (SETS.has(name) && Array.isArray(value)) return sorted(value);
  if (VALUES.has(name)) return value;
  if (Array.isArray(value)) return value.map((item) => prune(item, ''));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([key]) => NAMED.has(name) || !PROSE.has(key))
    // A chosen name has no meaning for the values below it.
    .map(([key, member]) => [key, prune(member, NAMED.has(name) ? '' : key)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sorted(values: readonly unknown[]): unknown[] {
  return [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
