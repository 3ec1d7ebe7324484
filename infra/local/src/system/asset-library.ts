import { join } from 'node:path';
import { CHECKOUT } from '../checkout.js';

/** The asset library of the checkout. */
export const LIBRARY = join(CHECKOUT, 'infra/data/assets.ndjson');
