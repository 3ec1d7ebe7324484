import { join } from 'node:path';

/** The folder of the checkout. */
export const ROOT = join(import.meta.dirname, '../..');
