import { assetSchema } from '@carbon/contracts';
import {
  type Column,
  type Command,
  type CommandContext,
  createProgram,
  EXIT,
  printableJson,
  type TerminalOutput,
  UsageError,
} from '@carbon/terminal';
import { ListTable } from './asset-tables.js';
import { AssetTopic } from './asset-topic.js';
import { type PublishOptions, publishFile } from './publish.js';

const PUBLISH_HELP = `
Every line is checked first, and all errors are reported with their line
numbers. If any line is invalid, nothing is published, unless --skip-invalid is
given. A vintage after the current year is a warning, and so is an active asset
without price or issued.
Assets that the library already has are not sent again: publishing a file twice
changes nothing.

One line (here broken into three):
  {"id":"pool_bct","type":"POOL","source":"TOUCAN","name":"Base Carbon Tonne",
   "price":2.5,"issued":1000,"active":true}
Required: id, type, source, name. Retirable: with active true, price and issued.`;

const HELP = `
Finds the library of the system that runs in this checkout; elsewhere by
KAFKA_BROKERS and TOPIC_PREFIX.
Exit codes: 0 done, 1 an invalid line or an unknown id, 2 usage error, 75 Kafka
did not answer.`;

interface JsonFlag {
  readonly json?: true;
}

type AssetRow = Readonly<Record<string, unknown>>;

const COLUMNS: readonly Column<AssetRow>[] = [
  { title: 'ID', of: ({ id }) => String(id) },
  { title: 'SOURCE', of: ({ source }) => String(source), rank: 2 },
  { title: 'PRICE', of: ({ price }) => price as number | undefined, align: 'right', rank: 3 },
  { title: 'ISSUED', of: ({ issued }) => issued as number | undefined, align: 'right', rank: 4 },
  { title: 'ACTIVE', of: ({ active }) => (active === true ? 'yes' : undefined), rank: 1 },
  { title: 'NAME', of: ({ name }) => String(name), least: 12 },
];

/** Rows that are laid out and printed at a time. */
const PAGE_ROWS = 500;

/** Returns the command `assets`. */
export function assetsCommand(context: CommandContext): Command {
  const program = createProgram('assets', context)
    .usage('publish|withdraw|list|show')
    .description('Publishes, withdraws and lists the assets of the library.')
    .addHelpText('after', HELP);
  program
    .command('publish')
    .argument('<file>', 'a file with one asset a line (NDJSON), or - for standard input')
    .description('publish the assets of a file')
    .option(
      '--skip-invalid',
      'publish the valid lines, and copy the others: x.ndjson to x.invalid.ndjson, standard input to ./invalid.ndjson',
      false,
    )
    .option('--force', 'send unchanged assets, too', false)
    .option('--if-empty', 'publish nothing if the library has been published before, whatever it has now', false)
    .addHelpText('after', PUBLISH_HELP)
    .action(
      context.action(async (path: string, options: PublishOptions) => {
        const output = context.output({ continueWhenClosed: true });
        const topic = openTopic(context, output, options.ifEmpty ? 'run it again without --if-empty' : undefined);
        return await publishFile(path, context.streams.stdin, options, output, topic);
      }),
    );
  program
    .command('withdraw')
    .argument('<id...>', 'ids of assets')
    .description('remove assets from the library; unknown ids are reported (exit code 1), the others are still removed')
    .action(context.action((ids: string[]) => withdraw(context, ids)));
  program
    .command('list')
    .description('print every asset of the library, sorted by id')
    .option('--json', 'JSON, also at a terminal')
    .action(context.action(({ json }: JsonFlag) => list(context, json)));
  program
    .command('show')
    .argument('<id>', 'the id of an asset')
    .description('print one asset as JSON')
    .option('--json', 'no effect: the output is always JSON')
    .action(context.action((id: string) => show(context, id)));
  return program;
}

async function withdraw(context: CommandContext, ids: readonly string[]): Promise<number> {
  for (const id of ids) requireAssetId(id);
  const output = context.output({ continueWhenClosed: true });
  await using topic = openTopic(context, output);
  const requested = new Set(ids);
  // An asset of which the topic has only an invalid message is withdrawn, too: that removes the message.
  const present = new Set<string>();
  await topic.read(({ id, value }) => {
    if (!requested.has(id)) return;
    if (value === null) present.delete(id);
    else present.add(id);
  });
  await topic.publish([...present].map((id) => ({ id, json: null })));
  const unknown = [...requested].filter((id) => !present.has(id));
  for (const id of unknown) output.say(`${id} is not in the library`);
  output.say(`withdrawn ${present.size}, unknown ${unknown.length}`);
  return unknown.length > 0 ? EXIT.failed : EXIT.done;
}

async function list(context: CommandContext, json?: true): Promise<number> {
  const output = context.output({ json });
  await using topic = openTopic(context, output);
  using table = new ListTable();
  let invalid = 0;
  await topic.read(({ id, asset, isValid }) => {
    // Readers of the library ignore invalid messages, so the version before still counts.
    if (!isValid) invalid += 1;
    else if (asset === undefined) table.remove(id);
    else table.set(id, printableJson(asset));
  });
  await printList(table, output);
  if (invalid > 0) output.say(`omitted ${invalid} invalid ${invalid === 1 ? 'message' : 'messages'} of the topic`);
  return EXIT.done;
}

async function printList(assets: ListTable, output: TerminalOutput): Promise<void> {
  if (output.asJson) for (const json of assets.sorted()) await output.line(json);
  else {
    const table = output.newTable(COLUMNS);
    for (const page of pages(assets.sorted(), PAGE_ROWS)) {
      const rows = page.map((json): AssetRow => JSON.parse(json));
      for (const line of table.lines(rows)) await output.line(line);
    }
    await output.flush();
    if (table.omitted.length > 0) output.say(table.omission());
  }
  await output.flush();
}

function* pages<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let page: T[] = [];
  for (const item of items) {
    page.push(item);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  yield page;
}

async function show(context: CommandContext, id: string): Promise<number> {
  requireAssetId(id);
  const output = context.output({ json: true });
  await using topic = openTopic(context, output);
  let found: object | undefined;
  await topic.read((message) => {
    if (message.id === id && message.isValid) found = message.asset;
  });
  if (found !== undefined) await output.document(found, () => []);
  else output.say(`${id} is not in the library`);
  return found === undefined ? EXIT.failed : EXIT.done;
}

function openTopic(context: CommandContext, output: TerminalOutput, repeat?: string): AssetTopic {
  return new AssetTopic(context, (sentence) => output.say(sentence), repeat);
}

function requireAssetId(id: string): void {
  if (assetSchema.shape.id.safeParse(id).success) return;
  throw new UsageError(`${JSON.stringify(id)} is not the id of an asset: pool_… or proj_…, of a-z 0-9 _ -`);
}
