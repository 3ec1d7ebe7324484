import { resolve } from 'node:path';

/** The root of this checkout: two folders above the compiled or the source file. */
export const CHECKOUT = resolve(import.meta.dirname, '../..');
