import { ConfigError, inheritedEnvironment, loadCliEnvironment, loadConfig, text, url } from '@carbon/config';
import { WrongUsage } from '@carbon/terminal';
import { z } from 'zod';

const schema = z.object({
  GATEWAY_URL: url(['http', 'https'], {
    description: 'The URL of the gateway that is asked.',
    fallback: 'http://127.0.0.1:3000',
  }),
  API_KEY: text(/^[\x21-\x7e]+$/, 'a key as `npm run keys` prints it, in one piece', {
    description: 'The key that it is asked with. There is no option for it: shells keep what is typed.',
    secret: true,
  }).optional(),
});

/** Who is asked, and with which key. */
export interface Settings {
  readonly gateway: string;
  readonly key: string | undefined;
}

/** What a checkout's file adds to an environment. */
type Merge = (environment: Readonly<Record<string, string>>) => Readonly<Record<string, string | undefined>>;

/**
 * The environment's word, else that of the system running in this checkout, else the default.
 *
 * @throws WrongUsage without the key in it
 */
export function readSettings(own = inheritedEnvironment(), merge: Merge = loadCliEnvironment): Settings {
  try {
    const { GATEWAY_URL, API_KEY } = loadConfig(schema, withoutStrangersKey(own, merge(own)));
    return { gateway: GATEWAY_URL, key: API_KEY };
  } catch (error) {
    throw error instanceof ConfigError ? new WrongUsage(error.message) : error;
  }
}

/** The key that stands beside the address of one gateway is for no other that the environment names. */
function withoutStrangersKey(own: Readonly<Record<string, string>>, merged: ReturnType<Merge>): ReturnType<Merge> {
  if (!own.GATEWAY_URL || own.API_KEY || own.API_KEY_FILE) return merged;
  return { ...merged, API_KEY: undefined, API_KEY_FILE: undefined };
}
