/** A piece of OpenSearch's query language: JSON. */
export type Query = { readonly [key: string]: unknown };
