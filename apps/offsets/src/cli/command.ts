import { commandSettings, kafkaSettings } from '@carbon/config';
import { createKafka, kafkaConnection, waitForKafka } from '@carbon/messaging';
import {
  type Command,
  type CommandContext,
  createProgram,
  EXIT,
  InvalidArgumentError,
  type TerminalOutput,
} from '@carbon/terminal';
import { z } from 'zod';
import { countLost } from '../domain/positions.js';
import { databaseSettings } from '../offsets.config.js';
import { placesOf } from '../recovery/request-positions.js';
import { acceptLoss } from './accept-loss.js';
import { audit, type Coverage, coverage, coverageText } from './audit.js';
import { inSnapshot, type Query, reachDatabase } from './snapshot.js';
import { snapshotTime, storeAudit } from './store-audit.js';
import { verifyLedger } from './verify.js';

const settings = z.object({ ...databaseSettings, ...commandSettings.shape });

const SNAPSHOT_HELP = `
Reads one snapshot. While it is held, the queues of the service become slower:
on a large ledger run it on a standby (DATABASE_URL), or outside peak hours.`;

const ACCEPT_LOSS_HELP = `
Offsets of these messages stay queued for ever. Restore a newer
backup of PostgreSQL instead, if there is one. Asks Kafka, too (KAFKA_BROKERS).`;

interface JsonFlag {
  readonly json: boolean;
}

/** Returns the command `ledger`. */
export function ledgerCommand(context: CommandContext): Command {
  const program = createProgram('ledger', context).description(
    'Checks the retirement ledger. Exit 0: it is correct; 1: it is not; 2: usage error; 75: no response; 78: wrong settings.',
  );
  program
    .command('audit')
    .description('check every gram against every rule, in one snapshot')
    .addHelpText('after', SNAPSHOT_HELP)
    .option('--json', 'JSON in place of the verdict', false)
    .action(context.action((flags: JsonFlag) => runAudit(context, flags)));
  program
    .command('verify')
    .description('recompute every hash of every chain')
    .addHelpText('after', SNAPSHOT_HELP)
    .option('--json', 'JSON in place of the verdict', false)
    .action(context.action((flags: JsonFlag) => runVerify(context, flags)));
  program
    .command('accept-loss')
    .description('continue without requests that Kafka has deleted and PostgreSQL may lack')
    .option('--messages <count>', 'how many there are; without it they are only counted', readMessageCount)
    .addHelpText('after', ACCEPT_LOSS_HELP)
    .action(context.action((flags: { messages?: bigint }) => runAcceptLoss(context, flags.messages)));
  return program;
}

async function runAudit(context: CommandContext, { json }: JsonFlag): Promise<number> {
  const output = context.output({ json, continueWhenClosed: true });
  const { audited, covered, at } = await withSnapshot(context, output, async (query) => ({
    at: await snapshotTime(query),
    audited: await audit(query),
    covered: await coverage(query),
  }));
  for (const warning of audited.warnings) output.say(`warning: ${warning}`);
  for (const violation of audited.violations) output.say(violation);
  const unstored =
    audited.violationCount === 0 && (await storeAudit(context.settings(settings, EXIT.config).DATABASE_URL, at));
  if (unstored) output.say(`The metric of the last successful audit is not updated: ${unstored}`);
  return await conclude(output, audited.violationCount, covered);
}

async function runVerify(context: CommandContext, { json }: JsonFlag): Promise<number> {
  const output = context.output({ json, continueWhenClosed: true });
  let errors = 0;
  const count = await withSnapshot(context, output, (query) =>
    verifyLedger(query, (error) => {
      errors += 1;
      output.say(error);
    }),
  );
  return await conclude(output, errors, { entries: String(count) });
}

async function runAcceptLoss(context: CommandContext, messages: bigint | undefined): Promise<number> {
  const config = context.settings(z.object({ ...settings.shape, ...kafkaSettings }), EXIT.config);
  const { DATABASE_URL, ENGINE_WAIT_MS } = config;
  const output = context.output();
  const say = (sentence: string) => output.say(sentence);
  await reachDatabase(DATABASE_URL, ENGINE_WAIT_MS, say);
  const kafka = createKafka({ ...kafkaConnection(config), clientId: 'offsets-ledger' });
  // The next request to Kafka fails with the same error, and explains it.
  await waitForKafka(kafka, ENGINE_WAIT_MS, say).catch(() => {});
  const { lost, isAccepted } = await acceptLoss(kafka, DATABASE_URL, messages);
  const count = countLost(lost);
  if (lost.length === 0) say('Nothing is lost: Kafka has every message that PostgreSQL may lack.');
  else if (isAccepted) say(`Accepted: the service continues without ${count} messages.`);
  else {
    say(`Kafka has deleted ${count} messages of offset.requested that PostgreSQL may lack: ${placesOf(lost)}.`);
    say(`To continue without them: npm run ledger -- accept-loss --messages ${count}`);
    return EXIT.failed;
  }
  return EXIT.done;
}

function readMessageCount(text: string): bigint {
  if (!/^[0-9]{1,18}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return BigInt(text);
}

async function withSnapshot<T>(
  context: CommandContext,
  output: TerminalOutput,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL, ENGINE_WAIT_MS } = context.settings(settings, EXIT.config);
  await reachDatabase(DATABASE_URL, ENGINE_WAIT_MS, (sentence) => output.say(sentence));
  return await inSnapshot(DATABASE_URL, work);
}

async function conclude(output: TerminalOutput, errors: number, covered: Coverage): Promise<number> {
  await output.document({ verdict: errors === 0 ? 'OK' : 'FAILED', errors, ...covered }, () => [
    errors === 0 ? `OK: ${coverageText(covered)}.` : `FAILED: ${errors} errors; ${coverageText(covered)}.`,
  ]);
  return errors === 0 ? EXIT.done : EXIT.failed;
}
