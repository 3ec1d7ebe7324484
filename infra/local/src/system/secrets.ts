import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivately } from '../write-privately.js';

const secretsSchema = z.object({
  ID_SECRETS: z.string().min(32),
  IDEMPOTENCY_SECRETS: z.string().min(32),
  CURSOR_SECRETS: z.string().min(32),
  INTERNAL_SECRETS: z.string().min(32),
  POSTGRES_PASSWORD: z.string().min(32),
});

/** The secrets of one local system: lists for the apps (here of one secret each), and the database's password. */
export type Secrets = z.infer<typeof secretsSchema>;

/**
 * The secrets kept in this folder, made (256 random bits each) when there are none yet. They stay the same between runs:
 * another ID_SECRETS would disown every id that was ever given out.
 */
export function keptSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json');
  if (!existsSync(file)) writePrivately(file, `${JSON.stringify(newSecrets(), null, 2)}\n`);
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const whole = secretsSchema.parse({ ...sinceFirst(), ...(kept as object) });
    if (!Object.hasOwn(kept as object, 'INTERNAL_SECRETS')) writePrivately(file, `${JSON.stringify(whole, null, 2)}\n`);
    return whole;
  } catch (error) {
    throw new Error(`${file} does not hold the secrets it should; mend it, or empty everything with npm run reset`, {
      cause: error,
    });
  }
}

/** What a folder of an older checkout does not have yet, and what nothing that was kept was made with. */
function sinceFirst(): Pick<Secrets, 'INTERNAL_SECRETS'> {
  return { INTERNAL_SECRETS: newSecret() };
}

function newSecrets(): Secrets {
  return {
    ID_SECRETS: newSecret(),
    IDEMPOTENCY_SECRETS: newSecret(),
    CURSOR_SECRETS: newSecret(),
    POSTGRES_PASSWORD: newSecret(),
    ...sinceFirst(),
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
