import { randomUUID } from 'node:crypto';
import { type AcceptedOffset, CarbonError, type OffsetStatus, TimedOutError } from '@carbon/client';
import {
  type Command,
  type CommandContext,
  EXIT,
  Interrupted,
  Option,
  printable,
  readMoment,
  UnavailableError,
} from '@carbon/terminal';
import {
  type ListFlags,
  type PrintFlags,
  readIdempotencyKey,
  readShownId,
  readWeight,
  type WaitFlags,
  withListFlags,
  withPrintFlags,
  withWaitFlags,
} from './arguments.js';
import { pageSize, printList } from './paged-list.js';
import { safeRetry } from './problem-report.js';
import { type ClientSession, withSession } from './session.js';
import { estimateLines, offsetColumns, offsetLines, receiptLines } from './views.js';

interface OffsetFlags extends WaitFlags {
  readonly estimate?: string;
  readonly ref?: string;
  readonly idempotencyKey?: string;
}

interface OffsetsFlags extends ListFlags {
  readonly status?: OffsetStatus;
  readonly ref?: string;
  readonly estimate?: string;
  readonly from?: Date;
  readonly to?: Date;
}

const STATUSES = ['queued', 'processing', 'completed', 'failed'] satisfies readonly OffsetStatus[];
const DEFAULT_LIMIT = 20;

const OFFSET_HELP = `
Exit code 0 means that the offset is accepted: it is stored durably, and
processed later; 1 that an offset with this key was accepted before and failed.
There is one offset for each --idempotency-key, however often the command runs;
without one each run creates a new offset.

  npm run cli -- offset 1234.5
  npm run cli -- offset 1234.5 --ref order-77 --idempotency-key order-77 --wait`;

const OFFSETS_HELP = `
  npm run cli -- offsets --status failed --from 2d
  npm run --silent cli -- offsets --all | jq -r .id`;

const ESTIMATE_HELP = `
The price is fixed for 24 hours, for one offset of the same weight; nothing is
reserved.

  npm run cli -- estimate 2500
  npm run cli -- offset 2500 --estimate <the id that it printed>`;

/** Adds `offset`, `offsets`, `show`, `receipt` and `estimate`. */
export function addOffsetCommands(program: Command, context: CommandContext): void {
  addCreateAndList(program, context);
  addShow(program, context);
  addEstimate(program, context);
}

function addCreateAndList(program: Command, context: CommandContext): void {
  withWaitFlags(
    program
      .command('offset')
      .argument('<kg>', 'the emissions in kilograms of CO2-equivalent', readWeight)
      .description('offset emissions')
      .option('--estimate <id>', 'at the prices of this estimate, which must be for the same weight')
      .option('--ref <text>', 'a reference of your own')
      .option('--idempotency-key <key>', 'identifies this request, so that it is safe to retry', readIdempotencyKey)
      .addHelpText('after', OFFSET_HELP),
  ).action(
    context.action((kg: number, flags: OffsetFlags) =>
      withSession(context, { ...flags, continueWhenClosed: true }, (session) => createOffset(session, kg, flags)),
    ),
  );
  withListFlags(
    program
      .command('offsets')
      .description('list the offsets of the account, newest first')
      .addOption(new Option('--status <status>', 'only those with this status').choices(STATUSES))
      .option('--ref <text>', 'only those with this reference')
      .option('--estimate <id>', 'only those of this estimate')
      .option('--from <time>', 'created at this time or later: a time, or how long ago (90m, 12h, 2d)', (text) =>
        readMoment(text),
      )
      .option('--to <time>', 'created before this time', (text) => readMoment(text))
      .addHelpText('after', OFFSETS_HELP),
    DEFAULT_LIMIT,
  ).action(
    context.action((flags: OffsetsFlags) => withSession(context, flags, (session) => listOffsets(session, flags))),
  );
}

function addShow(program: Command, context: CommandContext): void {
  withWaitFlags(
    program
      .command('show')
      .argument('<id>', 'the id of an offset (off_…) or of an estimate (est_…)', readShownId)
      .description('print an offset or an estimate'),
  ).action(
    context.action((id: string, flags: WaitFlags) =>
      withSession(context, { ...flags, continueWhenClosed: flags.wait ?? false }, (session) =>
        show(session, id, flags),
      ),
    ),
  );
  withPrintFlags(
    program
      .command('receipt')
      .argument('<id>', 'the id of an offset')
      .description('print the ledger entries of an offset; none until it is completed'),
  ).action(
    context.action((id: string, flags: PrintFlags) => withSession(context, flags, (session) => receipt(session, id))),
  );
}

function addEstimate(program: Command, context: CommandContext): void {
  withPrintFlags(
    program
      .command('estimate')
      .argument('<kg>', 'the emissions in kilograms of CO2-equivalent', readWeight)
      .description('create an estimate, which fixes a price')
      .option(
        '--asset <id>',
        'take all credits from this asset; default: from those that the service prefers, the cheapest first',
      )
      .addHelpText('after', ESTIMATE_HELP),
  ).action(
    context.action((kg: number, flags: PrintFlags & { asset?: string }) =>
      withSession(context, flags, (session) => estimate(session, kg, flags.asset)),
    ),
  );
}

async function createOffset(session: ClientSession, kgCO2e: number, flags: OffsetFlags): Promise<number> {
  const { output } = session;
  const accepted = await accept(session, kgCO2e, flags);
  if (accepted.replayed) output.say('It was already accepted with the same key; no second offset was created.');
  const message = printable(accepted.message);
  if (flags.wait) {
    output.say(message);
    return await waitForOffset(session, accepted.id, flags.within);
  }
  try {
    await output.document(accepted, () => [message]);
  } catch (error) {
    // On a full disk, the id and a generated key would be lost.
    output.say(`${message}\n${safeRetry(accepted.idempotencyKey)}`);
    throw error;
  }
  const { failure } = accepted;
  if (failure) {
    output.say(printable(`It has failed: ${failure.code}: ${failure.detail} Another offset needs a new key.`));
    return EXIT.failed;
  }
  output.say(`Follow it with: npm run cli -- show ${accepted.id} --wait`);
  return EXIT.done;
}

async function accept(session: ClientSession, kgCO2e: number, flags: OffsetFlags): Promise<AcceptedOffset> {
  const { carbon, output, signal, waitFor } = session;
  // Created here and not by the client, so that it can be printed when the command is interrupted.
  const idempotencyKey = flags.idempotencyKey ?? randomUUID();
  const offset = { kgCO2e, estimateId: flags.estimate, customerRef: flags.ref };
  try {
    return await waitFor(carbon.offsets.create(offset, { idempotencyKey, signal }), 'waiting until it is accepted');
  } catch (error) {
    if (error instanceof Interrupted) {
      output.say(`Interrupted before the response: the offset may have been accepted.\n${safeRetry(idempotencyKey)}`);
    }
    throw error;
  }
}

async function listOffsets(session: ClientSession, flags: OffsetsFlags): Promise<number> {
  const { status, ref, estimate: estimateId, from, to } = flags;
  const filter = { status, customerRef: ref, estimateId, createdFrom: from, createdTo: to, limit: pageSize(flags) };
  const offsets = session.carbon.offsets.list(filter, { signal: session.signal });
  return await printList(session, offsets, flags, { columns: offsetColumns(), none: 'No offsets match.' });
}

async function show(session: ClientSession, id: string, { wait, within }: WaitFlags): Promise<number> {
  const { carbon, output, signal, waitFor } = session;
  if (id.startsWith('est_')) {
    const found = await waitFor(carbon.estimates.get(id, { signal }));
    await output.document(found, () => estimateLines(found, output));
    return EXIT.done;
  }
  if (wait) return await waitForOffset(session, id, within);
  const offset = await waitFor(carbon.offsets.get(id, { signal }));
  await output.document(offset, () => offsetLines(offset, output));
  return EXIT.done;
}

async function waitForOffset(session: ClientSession, id: string, seconds: number): Promise<number> {
  const { carbon, output, signal, waitFor } = session;
  const again = `\`show ${id} --wait\` waits again.`;
  const later = `The service continues to process it: ${again}`;
  try {
    const waiting = carbon.offsets.waitFor(id, { timeoutMs: seconds * 1_000, signal });
    const offset = await waitFor(waiting, `waiting until ${id} is completed`);
    await output.document(offset, () => offsetLines(offset, output));
    return offset.status === 'completed' ? EXIT.done : EXIT.failed;
  } catch (error) {
    // Without a response, nothing is known about the service.
    if (error instanceof TimedOutError && error.cause instanceof CarbonError) {
      output.say(`${error.detail}. ${again}`);
      throw error.cause;
    }
    if (error instanceof TimedOutError)
      throw new UnavailableError(`${id} did not finish within ${seconds} s. ${later}`);
    if (error instanceof Interrupted) output.say(later);
    throw error;
  }
}

async function receipt({ carbon, output, signal, waitFor }: ClientSession, id: string): Promise<number> {
  const found = await waitFor(carbon.offsets.receipt(id, { signal }));
  await output.document(found, () => receiptLines(found, output));
  if (found.entries.length === 0) output.say(`The ledger has no entries for it, because it is ${found.status}.`);
  return EXIT.done;
}

async function estimate(session: ClientSession, kgCO2e: number, asset: string | undefined): Promise<number> {
  const { carbon, output, signal, waitFor } = session;
  const created = await waitFor(carbon.estimates.create({ kgCO2e, asset }, { signal }));
  await output.document(created, () => estimateLines(created, output));
  return EXIT.done;
}
