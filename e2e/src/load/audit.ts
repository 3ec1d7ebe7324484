import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const LEDGER = resolve(import.meta.dirname, '../../../apps/offsets/dist/ledger-cli/ledger.js');

/** Has the ledger of the environment's database audited, as `npm run ledger -- audit` does; says whether it holds. */
export async function auditHolds(): Promise<boolean> {
  const audit = spawn(process.execPath, [LEDGER, 'audit'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise<number | null>((settle) => audit.once('close', settle));
  return code === 0;
}
