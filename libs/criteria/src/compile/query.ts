/** A clause of OpenSearch's query DSL. */
export type QueryClause = { readonly [name: string]: unknown };
