import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_DIR } from '../checkout.js';
import { standInFor } from '../engines/reach.js';
import { LockHeld, takeLock } from '../processes/lock.js';
import { sweepLeftovers } from '../processes/sweep.js';
import { EXIT } from './exit-codes.js';

/** `npm run reset`: empties the local system's folder, unless the system runs. */
export async function reset(): Promise<void> {
  if (!existsSync(LOCAL_DIR)) return say('there is nothing to empty');
  try {
    takeLock(join(LOCAL_DIR, 'lock'));
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    process.stderr.write(`It is running, as process ${error.holder.pid}: stop it first (kill ${error.holder.pid}).\n`);
    process.exit(EXIT.FAILED);
  }
  await sweepLeftovers(join(LOCAL_DIR, 'run'));
  for (const dir of [LOCAL_DIR, standInFor(LOCAL_DIR)]) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  say(`emptied ${LOCAL_DIR}: the next start begins anew, with new secrets`);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
