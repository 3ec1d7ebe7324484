import { loadCliEnvironment, loadConfigOrExit, secretList, text } from '@carbon/config';
import { z } from 'zod';

/** What the commands that put load on a system show to whom they ask. */
export const proofSettings = z.object({
  API_KEY: text(/^\S+$/, 'a key', {
    description: 'The key to ask a gateway with that is not open; its plan must bear the load.',
    secret: true,
  }).optional(),
  INTERNAL_SECRETS: secretList('What catalogs that are asked directly know their gateway by.').optional(),
});

/** The header that lets us in at a gateway with keys. */
export function keyHeaders(): Record<string, string> {
  const { API_KEY } = loadConfigOrExit(proofSettings, loadCliEnvironment());
  return API_KEY === undefined ? {} : { 'x-api-key': API_KEY };
}

/** The same, and what lets us in at a catalog in its gateway's place. */
export function proof(): Record<string, string> {
  const { INTERNAL_SECRETS: [secret] = [] } = loadConfigOrExit(proofSettings, loadCliEnvironment());
  return { ...keyHeaders(), ...(secret !== undefined && { 'x-internal-secret': secret, 'x-account': 'default' }) };
}
