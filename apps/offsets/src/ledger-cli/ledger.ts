import { loadCliEnvironment, loadConfigOrExit } from '@carbon/config';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { databaseSettings } from '../offsets.config.js';
import { audit, summary } from './audit.js';
import { type Ask, inSnapshot, NoAnswer } from './snapshot.js';
import { verify } from './verify.js';

const EXIT_FAULTS = 1;
const EXIT_USAGE = 2;
/** Nothing was found out, which is not the same as faults (EX_TEMPFAIL of sysexits.h). */
const EXIT_NO_ANSWER = 75;

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function runAudit(): Promise<void> {
  const { faults, warnings, covered } = await asked(async (ask) => ({
    ...(await audit(ask)),
    covered: await summary(ask),
  }));
  for (const warning of warnings) say(`warning: ${warning}`);
  for (const fault of faults) say(fault);
  conclude(faults.length, covered);
}

async function runVerify(): Promise<void> {
  let faults = 0;
  const count = await asked((ask) =>
    verify(ask, (fault) => {
      faults += 1;
      say(fault);
    }),
  );
  conclude(faults, `${count} ledger entries`);
}

function asked<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const { DATABASE_URL } = loadConfigOrExit(z.object(databaseSettings), loadCliEnvironment());
  return inSnapshot(DATABASE_URL, work);
}

function conclude(faults: number, covered: string): void {
  process.stdout.write(faults === 0 ? `It holds: ${covered}.\n` : `It does not hold: ${faults} faults; ${covered}.\n`);
  if (faults > 0) process.exitCode = EXIT_FAULTS;
}

const WHERE_TO_RUN = `
Reads one snapshot. As long as it is held, the service's queues become slower:
on a large ledger run it on a standby (DATABASE_URL), or outside the peak.`;

const program = new Command('ledger')
  .description('Checks the retirement ledger. Exit 0: it holds; 1: it does not; 2: wrong usage; 75: no answer.')
  .exitOverride();
program
  .command('audit')
  .description('hold every gram against every rule, in one snapshot')
  .addHelpText('after', WHERE_TO_RUN)
  .action(runAudit);
program
  .command('verify')
  .description('recompute every hash of every chain')
  .addHelpText('after', WHERE_TO_RUN)
  .action(runVerify);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  else if (error instanceof NoAnswer) {
    say(error.message);
    process.exitCode = EXIT_NO_ANSWER;
  } else throw error;
}
