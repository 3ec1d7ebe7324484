import { secretList, text, url } from '@carbon/config';
import { type CommandContext, EXIT, isLoopback, NOT_LOOPBACK } from '@carbon/terminal';
import { z } from 'zod';

/** The gateway of the load commands. Load is for this machine only: any other address is refused. */
export const loadSettings = z.object({
  GATEWAY_URL: url(['http'], {
    description: 'The gateway under load.',
    fallback: 'http://127.0.0.1:3000',
  }).refine(isLoopback, { error: NOT_LOOPBACK }),
});

const credentialSettings = z.object({
  API_KEY: text(/^\S+$/, 'a key', {
    description: 'The key for a gateway that requires one; its plan must allow the load.',
    secret: true,
  }).optional(),
  INTERNAL_SECRETS: secretList('The secrets of the gateway, to call catalogs directly.').optional(),
});

/** Returns the gateway of the environment, else of the system that runs in this checkout, else the default. */
export function gatewayUrl(context: CommandContext): string {
  return context.settings(loadSettings, EXIT.config).GATEWAY_URL;
}

/** Returns the headers for a gateway that requires a key. */
export function keyHeaders(context: CommandContext): Record<string, string> {
  const { API_KEY } = context.settings(credentialSettings, EXIT.config);
  return API_KEY === undefined ? {} : { 'x-api-key': API_KEY };
}

/** Returns the headers for a gateway, or for a catalog that is called directly. */
export function credentialHeaders(context: CommandContext): Record<string, string> {
  const { INTERNAL_SECRETS: [secret] = [] } = context.settings(credentialSettings, EXIT.config);
  const headers = keyHeaders(context);
  return secret === undefined ? headers : { ...headers, 'x-internal-secret': secret, 'x-account': 'default' };
}
