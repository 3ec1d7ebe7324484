import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of this checkout, without a slash at its end. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Where Maven puts the engines that come by it. */
export const ENGINES_DIR = join(CHECKOUT, 'infra/local/engines');

/** What `npm start` keeps between runs: data, logs, secrets. */
export const LOCAL_DIR = join(CHECKOUT, '.local');
