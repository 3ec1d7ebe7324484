import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const CARBON = resolve(import.meta.dirname, '../../../tools/carbon/dist/carbon.js');

/** Has the ledger of the environment's database audited, as `npm run ledger -- audit` does; says whether it holds. */
export async function auditHolds(): Promise<boolean> {
  const audit = spawn(process.execPath, [CARBON, 'ledger', 'audit'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise<number | null>((settle) => audit.once('close', settle));
  return code === 0;
}
