import type { CriteriaError } from './errors/criteria-error.js';

/** Either a value, or the mistakes that kept it from being made, in the order they were found. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly CriteriaError[] };
