import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { TopicName } from '@carbon/contracts';
import {
  type Command,
  type CommandContext,
  CommandError,
  createProgram,
  EXIT,
  InvalidArgumentError,
  printableJson,
  readMoment,
  type TerminalOutput,
  UsageError,
} from '@carbon/terminal';
import {
  type DeadLetter,
  type DeadLetterFilter,
  type DeadLetterId,
  formatId,
  parseDeadLetterId,
  topicNamed,
  topicsOf,
} from './dead-letter.js';
import { DeadLetterAdmin } from './dead-letter-admin.js';
import { deadLettersOf, deadLettersWith, type Outcome, Replay } from './replay.js';
import { hasCorrections } from './replay-checks.js';
import { asJson, asLines, COLUMNS, factsOf, oneLine, ReasonCounts } from './views.js';

const MAX_DETAIL = 400;
const MAX_REASON = 64;
/** Rows that are laid out and printed at a time. */
const PAGE_ROWS = 200;
const PAGE_BYTES = 8 * 1024 * 1024;

const HELP = `
A dead letter is named by its topic and its position on the dead-letter topic:
offset.requested:17.
Works on the system that runs in this checkout; elsewhere by KAFKA_BROKERS and
TOPIC_PREFIX.
Exit codes: 0 done, 1 a dead letter was refused or does not exist, 2 wrong
usage, 75 Kafka did not answer.`;

const REPLAY_HELP = `
Sends the original key, headers and bytes to the original topic, with two more
headers: x-replay-of names the dead letter, and x-appended-at keeps the time at
which Kafka appended the original. The dead letter stays where it is. When its
value was cut off, the original is read from its topic, while that is kept.

Refused, unless --force is given: what would fail again or contradicts itself;
idempotency_conflict; an asset of which the library has a newer version.
Always refused: a cut value whose original is gone; what is too large for its
topic. Replaying an offset request twice is safe: its id is unique.

  npm run --silent dead-letters -- show --raw offset.requested:17 > request.json
  fix request.json, then
  npm run dead-letters -- replay offset.requested:17 --value request.json`;

interface JsonFlag {
  readonly json?: true;
}

interface ReplayFlags extends DeadLetterFilter, JsonFlag {
  readonly all: boolean;
  readonly value?: string;
  readonly key?: string;
  readonly type?: string;
  readonly dryRun: boolean;
  readonly force: boolean;
}

/** Returns the command `dead-letters`. */
export function deadLettersCommand(context: CommandContext): Command {
  const program = createProgram('dead-letters', context)
    .usage('list|show|replay')
    .description('Lists, shows and replays the messages that consumers could not process.')
    .addHelpText('after', HELP);
  program
    .command('list')
    .description('print the dead letters, oldest first, and how many there are of each reason')
    .option('--topic <topic>', 'only dead letters of this topic', readTopicName)
    .option('--reason <code>', 'only dead letters with this reason')
    .option('--since <time>', 'only newer ones: a time, or how long ago (90m, 12h, 2d)', (text) => readMoment(text))
    .option('--json', 'JSON, also at a terminal')
    .action(context.action((flags: DeadLetterFilter & JsonFlag) => list(context, flags)));
  program
    .command('show')
    .argument('<place>', 'a dead letter, as `list` prints it', readId)
    .description('print a dead letter with its headers, its bytes, and what is wrong with it')
    .option('--raw', 'only the bytes of its value, unchanged', false)
    .option('--json', 'JSON, also at a terminal')
    .action(context.action((id: DeadLetterId, flags: JsonFlag & { raw: boolean }) => show(context, id, flags)));
  program
    .command('replay')
    .argument('[place...]', 'dead letters, as `list` prints them', (text, before: readonly DeadLetterId[] = []) => [
      ...before,
      readId(text),
    ])
    .description('send dead letters to their topic again, as they were or corrected')
    .option('--value <file>', 'with these bytes instead of its own; - for standard input')
    .option('--key <key>', 'with this key instead of its own')
    .option('--type <type>', 'as this event, such as offset.requested.v1')
    .option('--all', 'every dead letter with a --reason', false)
    .option('--reason <code>', 'with --all: the reason')
    .option('--topic <topic>', 'with --all: only of this topic', readTopicName)
    .option('--since <time>', 'with --all: only newer ones', (text) => readMoment(text))
    .option('--dry-run', 'report what would be sent, and send nothing', false)
    .option('--force', 'override safety checks', false)
    .option('--json', 'JSON, also at a terminal')
    .addHelpText('after', REPLAY_HELP)
    .action(context.action((ids: readonly DeadLetterId[], flags: ReplayFlags) => replay(context, ids, flags)));
  return program;
}

async function list(context: CommandContext, { json, ...filter }: DeadLetterFilter & JsonFlag): Promise<number> {
  const output = context.output({ json });
  await using admin = openAdmin(context, output);
  const counts = new ReasonCounts();
  const table = output.newTable(COLUMNS);
  const print = async (deadLetters: readonly DeadLetter[]) => {
    const lines = output.asJson
      ? deadLetters.map((deadLetter) => printableJson(factsOf(deadLetter)))
      : table.lines(deadLetters);
    for (const line of lines) await output.line(line);
  };
  for (const topic of topicsOf(filter)) {
    counts.addTopic(topic);
    let seen = 0;
    const page: DeadLetter[] = [];
    let bytes = 0;
    await admin.read(topic, { since: filter.since }, async (deadLetter) => {
      seen += 1;
      output.progress(`read ${seen.toLocaleString('en-US')} dead letters of ${topic}`);
      if (filter.reason !== undefined && deadLetter.reason !== filter.reason) return undefined;
      counts.add(topic, oneLine(deadLetter.reason, MAX_REASON));
      bytes += deadLetter.raw.value?.length ?? 0;
      if (page.push(deadLetter) < PAGE_ROWS && bytes < PAGE_BYTES) return undefined;
      bytes = 0;
      await print(page.splice(0));
      return undefined;
    });
    await print(page);
  }
  await output.flush();
  for (const line of counts.lines()) output.say(line);
  if (table.omitted.length > 0) output.say(table.omission());
  return EXIT.done;
}

async function show(
  context: CommandContext,
  id: DeadLetterId,
  { json, raw }: JsonFlag & { raw: boolean },
): Promise<number> {
  const output = context.output({ json });
  await using admin = openAdmin(context, output);
  const deadLetter = await admin.find(id);
  if (deadLetter === undefined) throw new CommandError(`there is no dead letter ${formatId(id)}; \`list\` lists them`);
  const original = await admin.original(deadLetter);
  if (!raw) {
    await output.document(asJson(deadLetter, original), () => asLines(deadLetter, original));
    return EXIT.done;
  }
  if ('gone' in original) throw new CommandError(`the bytes of ${formatId(id)} are not available: ${original.gone}`);
  if (original.message.value === null) output.say('its value is null: no bytes');
  else await output.write(original.message.value);
  return EXIT.done;
}

async function replay(
  context: CommandContext,
  ids: readonly DeadLetterId[],
  { all, value, key, type, reason, topic, since, json, ...options }: ReplayFlags,
): Promise<number> {
  if (all !== (ids.length === 0)) throw new UsageError('name dead letters, or say --all with a --reason');
  if (all && reason === undefined) throw new UsageError('--all needs a --reason; `list` counts them');
  if (!all && (reason ?? topic ?? since) !== undefined)
    throw new UsageError('--reason, --topic and --since go with --all');
  if (hasCorrections({ value: value === undefined ? undefined : Buffer.of(), key, type }) && ids.length !== 1)
    throw new UsageError('--value, --key and --type correct one dead letter at a time');
  const corrections = { value: value === undefined ? undefined : await readValue(context, value), key, type };
  const output = context.output({ json, continueWhenClosed: true });
  await using admin = openAdmin(context, output);
  const counts = { sent: 0, 'would be sent': 0, unchanged: 0, refused: 0 };
  let done = 0;
  const report = async (outcome: Outcome) => {
    counts[outcome.outcome] += 1;
    done += 1;
    await output.items([outcomeAsJson(outcome)], () => [outcomeAsText(outcome)]);
    output.progress(`replayed ${done.toLocaleString('en-US')} dead letters`);
  };
  const missing = (id: DeadLetterId) =>
    report({
      id,
      outcome: 'refused',
      code: 'no_dead_letter',
      detail: 'there is no such dead letter',
      canBeForced: false,
    });
  const replaying = new Replay(admin, { ...options, corrections }, report);
  try {
    const batches = all ? deadLettersOf(admin, { reason, topic, since }) : deadLettersWith(admin, ids, missing);
    for await (const batch of batches) await replaying.run(batch);
  } finally {
    const { sent, unchanged, refused } = counts;
    const first = options.dryRun ? `would be sent ${counts['would be sent']}` : `sent ${sent}`;
    output.say(`${first}, unchanged ${unchanged}, refused ${refused}`);
  }
  return counts.refused > 0 ? EXIT.failed : EXIT.done;
}

function outcomeAsJson({ id, ...outcome }: Outcome): object {
  const { code, detail } = outcome.outcome === 'refused' ? outcome : {};
  return { place: formatId(id), outcome: outcome.outcome, code, detail };
}

function outcomeAsText(outcome: Outcome): string {
  const name = formatId(outcome.id);
  if (outcome.outcome === 'unchanged') return `${name}  unchanged: the library has this version`;
  if (outcome.outcome !== 'refused') return `${name}  ${outcome.outcome}`;
  const force = outcome.canBeForced ? ' (--force sends it anyway)' : '';
  return `${name}  refused: ${oneLine(outcome.detail, MAX_DETAIL)}${force}`;
}

function openAdmin(context: CommandContext, output: TerminalOutput): DeadLetterAdmin {
  return new DeadLetterAdmin(context, (sentence) => output.say(sentence));
}

function readId(text: string): DeadLetterId {
  const id = parseDeadLetterId(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError('must be <topic>:<position>, such as offset.requested:17, as `list` prints it.');
}

function readTopicName(text: string): TopicName {
  const topic = topicNamed(text);
  if (topic !== undefined) return topic;
  throw new InvalidArgumentError('there is no such topic.');
}

async function readValue({ streams: { stdin } }: CommandContext, path: string): Promise<Buffer> {
  try {
    return await (path === '-' ? buffer(stdin) : readFile(path));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
