import { text, url } from '@carbon/config';
import { z } from 'zod';

/** Requests by the thousand are for one's own machine: any other address is refused. */
const WANTED = 'must be an address on this machine, such as http://127.0.0.1:3000';

/** The settings of the command. What runs in this checkout is found by itself. */
export const settings = z.object({
  GATEWAY_URL: url(['http'], { description: 'The gateway that is tested.' })
    .refine(isLoopback, { error: WANTED })
    .optional(),
  API_KEY: text(/^[\x21-\x7e]+$/, 'a key', { description: 'The key to call with.', secret: true }).optional(),
  PYTHON: text(/\S/, 'a program', { description: 'The Python to make the environment with.' }).optional(),
});

/** The settings as read. */
export type Settings = Readonly<z.output<typeof settings>>;

/** Whether an address leads to this machine alone. */
export function isLoopback(text: string): boolean {
  return URL.canParse(text) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(text).hostname);
}
