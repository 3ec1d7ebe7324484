import { loadCliEnvironment, loadConfigOrExit, url } from '@carbon/config';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';

/** Load is for one's own machine: any other address is refused. */
const WANTED = 'must be an address on this machine, such as http://127.0.0.1:3000';

/** The settings of the load command. */
export const loadSettings = z.object({
  GATEWAY_URL: url(['http'], {
    description: 'The gateway that the load goes to.',
    fallback: 'http://127.0.0.1:3000',
  }).refine(isLoopback, { error: WANTED }),
});

/**
 * The gateway of the environment, else of the system that runs in this checkout, else where one runs by default. Ends
 * the process when that is another machine.
 */
export function gatewayAddress(): string {
  return loadConfigOrExit(loadSettings, loadCliEnvironment()).GATEWAY_URL;
}

/** The address as given on the command line. */
export function loopback(text: string): string {
  if (!isLoopback(text)) throw new InvalidArgumentError(WANTED);
  return new URL(text).origin;
}

function isLoopback(text: string): boolean {
  return URL.canParse(text) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(text).hostname);
}
