import { commandSettings, kafkaSettings, loadCliEnvironment, loadConfigOrExit } from '@carbon/config';
import { createKafka, kafkaConnection, waitForKafka } from '@carbon/messaging';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { countLost } from '../domain/request-start.js';
import { databaseSettings } from '../offsets.config.js';
import { placesOf } from '../recovery/requests-lost.js';
import { acceptLoss } from './accept-loss.js';
import { audit, summary } from './audit.js';
import { reachDatabase } from './reach-database.js';
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

async function runAcceptLoss({ messages }: { messages?: bigint }): Promise<void> {
  const schema = z.object({ ...databaseSettings, ...kafkaSettings, ...commandSettings.shape });
  const settings = loadConfigOrExit(schema, loadCliEnvironment());
  const { DATABASE_URL, ENGINE_WAIT_MS } = settings;
  await reachDatabase(DATABASE_URL, ENGINE_WAIT_MS, say);
  const kafka = createKafka({ ...kafkaConnection(settings), clientId: 'offsets-ledger' });
  // Whatever it fails with, the next question fails with, too, and is told about.
  await waitForKafka(kafka, ENGINE_WAIT_MS, say).catch(() => {});
  const { lost, isAccepted } = await acceptLoss(kafka, DATABASE_URL, messages);
  const count = countLost(lost);
  if (lost.length === 0) say('Nothing is lost: Kafka has every message that PostgreSQL may lack.');
  else if (isAccepted) say(`Accepted: the service goes on without ${count} messages.`);
  else {
    say(`${count} messages of offset.requested are gone that PostgreSQL may lack: ${placesOf(lost)}.`);
    say(`To go on without them: npm run ledger -- accept-loss --messages ${count}`);
    process.exitCode = EXIT_FAULTS;
  }
}

function wholeNumber(text: string): bigint {
  if (!/^[0-9]{1,18}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return BigInt(text);
}

async function asked<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const schema = z.object({ ...databaseSettings, ...commandSettings.shape });
  const { DATABASE_URL, ENGINE_WAIT_MS } = loadConfigOrExit(schema, loadCliEnvironment());
  await reachDatabase(DATABASE_URL, ENGINE_WAIT_MS, say);
  return inSnapshot(DATABASE_URL, work);
}

function conclude(faults: number, covered: string): void {
  process.stdout.write(faults === 0 ? `It holds: ${covered}.\n` : `It does not hold: ${faults} faults; ${covered}.\n`);
  if (faults > 0) process.exitCode = EXIT_FAULTS;
}

const WHERE_TO_RUN = `
Reads one snapshot. As long as it is held, the service's queues become slower:
on a large ledger run it on a standby (DATABASE_URL), or outside the peak.`;

const WHAT_IS_LOST = `
Offsets that these messages asked for stay queued for ever. Restore a newer backup
of PostgreSQL instead, if there is one. Asks Kafka too (KAFKA_BROKERS).`;

const program = new Command('ledger')
  .description(
    'Checks the retirement ledger. Exit 0: it holds; 1: it does not; 2: wrong usage; 75: no answer; 78: wrong settings.',
  )
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
program
  .command('accept-loss')
  .description('let the service go on without requests that Kafka has deleted and PostgreSQL may lack')
  .option('--messages <count>', 'how many there are; without it they are only shown', wholeNumber)
  .addHelpText('after', WHAT_IS_LOST)
  .action(runAcceptLoss);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  else if (error instanceof NoAnswer) {
    say(error.message);
    process.exitCode = EXIT_NO_ANSWER;
  } else throw error;
}
