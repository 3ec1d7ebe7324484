import { join, resolve } from 'node:path';

/** The root of this checkout: two folders above the compiled or the source file. */
export const CHECKOUT = resolve(import.meta.dirname, '../..');

/** The asset library of the checkout. */
export const LIBRARY = join(CHECKOUT, 'infra/data/assets.ndjson');
