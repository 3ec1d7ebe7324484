/** A clause of OpenSearch's query DSL. */
export type QueryClause = { readonly [name: string]: unknown };

/** `{[path]: content}`; written like that, a literal whose names vary takes V8 four times as long. */
export function on(path: string, content: unknown): QueryClause {
  const clause: Record<string, unknown> = {};
  clause[path] = content;
  return clause;
}
