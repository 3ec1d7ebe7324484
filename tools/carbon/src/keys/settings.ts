import { ConfigError, loadCliEnvironment, loadConfig, text } from '@carbon/config';
import { WrongUsage } from '@carbon/terminal';
import { z } from 'zod';

/** The settings of `npm run keys`. */
export const keysSettings = z.object({
  API_KEYS_FILE: text(/^[^\0]+$/, 'a path', {
    description: 'The key file that `npm run keys` works on; the same one as the gateway’s.',
    fallback: '.local/keys.json',
  }),
});

/** The key file: as told on the command line, else by the environment, else where a checkout has it. */
export function keyFilePath(told: string | undefined): string {
  try {
    return told ?? loadConfig(keysSettings, loadCliEnvironment()).API_KEYS_FILE;
  } catch (error) {
    throw error instanceof ConfigError ? new WrongUsage(error.message) : error;
  }
}
