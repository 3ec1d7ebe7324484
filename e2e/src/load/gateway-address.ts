import { type Environment, loadCliEnvironment, loadConfigOrExit, url } from '@carbon/config';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';

const settings = z.object({
  GATEWAY_URL: url(['http'], {
    description: 'The gateway that the load goes to.',
    fallback: 'http://127.0.0.1:3000',
  }),
});

/** The gateway of the environment, else of the system that runs in this checkout, else where one runs by default. */
export function gatewayAddress(environment: Environment = loadCliEnvironment()): string {
  return loopback(loadConfigOrExit(settings, environment).GATEWAY_URL);
}

/** Load is for one's own machine: any other address is refused. */
export function loopback(text: string): string {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined || !['localhost', '127.0.0.1', '[::1]'].includes(address.hostname))
    throw new InvalidArgumentError(`must be an address on this machine, such as http://127.0.0.1:3000, not ${text}`);
  return address.origin;
}
