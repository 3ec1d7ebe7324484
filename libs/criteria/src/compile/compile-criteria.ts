import type { CheckedNode, Scalar } from '../check/typed-tree.js';
import type { CriteriaField } from '../fields.js';

/**
 * Returns the clause of a checked tree, for `bool.filter`: it selects and never scores. Numbers, booleans and text are
 * JSON values; no input of a client becomes a field name or query syntax.
 */
export function compileCriteria(node: CheckedNode): QueryClause {
  switch (node.kind) {
    case 'everything':
      return { match_all: {} };
    case 'and':
      return compileAnd(node.terms);
    case 'or':
      return compileOr(node.terms);
    case 'not':
      return { bool: { must_not: [compileCriteria(node.term)] } };
    case 'equal':
      return { term: fieldClause(wholeValuePath(node.field), { value: node.value }) };
    case 'words':
      return { match_phrase: fieldClause(node.field.name, { query: node.words }) };
    case 'pattern':
      return compilePattern(node.on === 'word' ? node.field.name : wholeValuePath(node.field), node.pattern);
    case 'range':
      return {
        range: fieldClause(node.field.name, node.field.type === 'date' ? dateBounds(node.bounds) : node.bounds),
      };
    case 'exists':
      return { exists: { field: node.field.name } };
  }
}

/** Negated terms are added to the same `bool` as the others: `a and not b` is one `bool`. */
function compileAnd(terms: readonly CheckedNode[]): QueryClause {
  const filter: QueryClause[] = [];
  const mustNot: QueryClause[] = [];
  for (const term of terms) {
    if (term.kind === 'not') mustNot.push(compileCriteria(term.term));
    else filter.push(compileCriteria(term));
  }
  if (mustNot.length === 0) return { bool: { filter } };
  return { bool: filter.length === 0 ? { must_not: mustNot } : { filter, must_not: mustNot } };
}

/** `should` has its own `bool` with its minimum: next to `filter` it would be optional. */
function compileOr(terms: readonly CheckedNode[]): QueryClause {
  const clauses = mergeEqualities(terms);
  const first = clauses[0];
  if (first !== undefined && clauses.length === 1) return first;
  return { bool: { should: clauses, minimum_should_match: 1 } };
}

/** Returns the clauses of alternatives; equalities on one field become one clause at the position of the first. */
function mergeEqualities(terms: readonly CheckedNode[]): readonly QueryClause[] {
  const clauses: QueryClause[] = [];
  const begun = new Map<CriteriaField, { readonly values: Scalar[]; readonly place: number }>();
  for (const term of terms) {
    const earlier = term.kind === 'equal' ? begun.get(term.field) : undefined;
    if (term.kind === 'equal' && earlier !== undefined) earlier.values.push(term.value);
    else {
      if (term.kind === 'equal') begun.set(term.field, { values: [term.value], place: clauses.length });
      clauses.push(compileCriteria(term));
    }
  }
  for (const [field, { values, place }] of begun) {
    // Cheaper than several clauses, and counted once towards OpenSearch's limit of clauses.
    if (values.length > 1) clauses[place] = { terms: fieldClause(wholeValuePath(field), values) };
  }
  return clauses;
}

/** A clause of OpenSearch's query DSL. */
export type QueryClause = { readonly [name: string]: unknown };

/** Returns `{[path]: content}`. A literal with a computed name takes V8 four times as long. */
function fieldClause(path: string, content: unknown): QueryClause {
  const clause: Record<string, unknown> = {};
  clause[path] = content;
  return clause;
}

const DATE_FORMAT = 'strict_date_optional_time';

/** Returns the path in the OpenSearch mapping that has the whole value of a field. */
function wholeValuePath(field: CriteriaField): string {
  return field.type === 'text' ? `${field.name}.exact` : field.name;
}

/** Full timestamps with their format, because the index would complete shorter ones differently. */
function dateBounds(bounds: object): QueryClause {
  const stamps = Object.entries(bounds).map(([relation, time]) => [relation, new Date(time).toISOString()]);
  return { ...Object.fromEntries(stamps), format: DATE_FORMAT };
}

/**
 * Returns the clause for a wildcard pattern on one OpenSearch path. A pattern that only fixes the beginning of the text
 * becomes the cheaper `prefix`; literal text needs no escapes there.
 */
export function compilePattern(path: string, pattern: string): QueryClause {
  const [, prefix] = /^((?:[^*?\\]|\\.)*)\*$/s.exec(pattern) ?? [];
  return prefix === undefined
    ? { wildcard: fieldClause(path, { value: pattern }) }
    : { prefix: fieldClause(path, { value: prefix.replace(/\\(.)/gs, '$1') }) };
}
