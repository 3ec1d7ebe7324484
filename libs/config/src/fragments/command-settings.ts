import { z } from 'zod';
import { milliseconds } from './values.js';

/** What every command that talks to an engine reads beside the engine's own settings. */
export const commandSettings = z.object({
  ENGINE_WAIT_MS: milliseconds(
    30_000,
    'How long a command waits for an engine that does not answer yet, in milliseconds; 0 tries once. A wrong setting, such as a wrong password, is not waited for.',
    { min: 0, max: 600_000 },
  ),
});
