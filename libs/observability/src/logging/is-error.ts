import { types } from 'node:util';

/** Whether a value is an error, also one made in another realm, where `instanceof` fails. */
export function isError(value: unknown): value is Error & { readonly code?: unknown } {
  return value instanceof Error || types.isNativeError(value);
}
