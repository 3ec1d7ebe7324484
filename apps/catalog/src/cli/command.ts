import {
  type Command,
  type CommandContext,
  countUpTo,
  createProgram,
  EXIT,
  type TerminalOutput,
} from '@carbon/terminal';
import { Logger } from '@nestjs/common';
import { type ChangeOptions, drop, rebuild, use } from './change-generation.js';
import { type Engines, withEngines } from './engines.js';
import { STATUS_COLUMNS, status } from './status.js';
import { report, VERDICT_EXIT, verdictDocument, verdictOf } from './verify/report.js';
import { verifyLibrary } from './verify/verify-library.js';

const MAX_SECONDS = 86_400;
const MAX_LINES = 10_000;

const HELP = `
Works on the system that runs in this checkout, or on the one configured by
OPENSEARCH_URL, INDEX_PREFIX, KAFKA_BROKERS, TOPIC_PREFIX.
Exit codes: 0 done, 1 discrepancies or the command failed, 2 usage error, 3 \`verify\`
found no discrepancy but could not compare everything, 75 an engine is
unavailable.`;

const REBUILD_HELP = `
The running catalog instances fill the next generation of the indices from the
topic, next to the live one. When it has caught up, both aliases move to it
atomically: searches always see the whole library. The old generation is
removed ten minutes later, or after the time in GENERATION_KEPT_MS.`;

const VERIFY_HELP = `
May run while assets are published. Missing: the topic has the asset, the index
does not. Surplus: the index has the asset, the topic does not. Different: a
field differs. Ahead: the document has a higher version than the topic has
reached, so OpenSearch would reject updates.
What changes during the comparison is counted as not compared. When nothing
differs but something was not compared, the exit code is 3: run it again when
less is published. A rebuild fixes every discrepancy, except for what OpenSearch
refused: that has a dead letter with the reason.`;

interface JsonFlag {
  readonly json?: true;
}

interface WaitFlags {
  readonly wait: boolean;
  readonly within: number;
}

/** Returns the command `catalog`. */
export function catalogCommand(context: CommandContext): Command {
  Logger.overrideLogger(false);
  const program = createProgram('catalog', context)
    .usage('status|rebuild|use|drop|verify')
    .description('Rebuilds, switches and verifies the indices of the asset library.')
    .addHelpText('after', HELP);
  const withWaitFlags = (command: Command) =>
    command
      .option('--no-wait', 'do not wait until it is live')
      .option('--within <seconds>', 'how long to wait at most', countUpTo(MAX_SECONDS), 3_600);
  const change = (work: (engines: Engines, output: TerminalOutput) => Promise<void>) =>
    onEngines(context, async (engines, output) => {
      await work(engines, output);
      return EXIT.done;
    });
  program
    .command('status')
    .description('list the generations of the indices')
    .option('--json', 'JSON, also at a terminal')
    .action(context.action(({ json }: JsonFlag) => onEngines(context, printStatus, json)));
  withWaitFlags(program.command('rebuild'))
    .description('build the next generation from the topic and let it replace the live one')
    .addHelpText('after', REBUILD_HELP)
    .action(context.action((flags: WaitFlags) => change((...on) => rebuild(...on, changeOptions(flags)))));
  withWaitFlags(program.command('use'))
    .argument('<generation>', 'a generation, as `status` lists it')
    .description('let an existing generation replace the live one; it may be an older one')
    .option('--now', 'do not wait until it has caught up: searches may miss assets or find outdated ones', false)
    .action(
      context.action((name: string, { now, ...flags }: WaitFlags & { now: boolean }) =>
        change((...on) => use(...on, name, { now, ...changeOptions(flags) })),
      ),
    );
  program
    .command('drop')
    .argument('<generation...>', 'generations, as `status` lists them')
    .description('remove generations that are not live')
    .action(context.action((names: string[]) => change((...on) => drop(...on, names))));
  program
    .command('verify')
    .description('compare what searches see with the topic, by content; exit 1 for discrepancies, 3 when incomplete')
    .option('--lines <n>', 'how many discrepancies to print', countUpTo(MAX_LINES), 20)
    .option('--json', 'print JSON', false)
    .addHelpText('after', VERIFY_HELP)
    .action(
      context.action(({ lines, json }: { lines: number; json: boolean }) =>
        onEngines(context, (...on) => printResult(...on, lines), json),
      ),
    );
  return program;
}

function onEngines(
  context: CommandContext,
  work: (engines: Engines, output: TerminalOutput) => Promise<number>,
  json?: boolean,
): Promise<number> {
  const output = context.output({ json, continueWhenClosed: true });
  return withEngines(context, output, (engines) => work(engines, output));
}

async function printStatus(engines: Engines, output: TerminalOutput): Promise<number> {
  const { generations, hints } = await status(engines);
  await output.table(generations, STATUS_COLUMNS);
  for (const hint of hints) output.say(hint);
  if (generations.length === 0)
    output.say('There is no generation yet; a catalog instance creates one when it starts.');
  return EXIT.done;
}

async function printResult(engines: Engines, output: TerminalOutput, lines: number): Promise<number> {
  const result = await verifyLibrary(engines, output);
  await output.document(verdictDocument(result, lines), () => report(result, lines));
  return VERDICT_EXIT[verdictOf(result)];
}

function changeOptions({ wait, within }: WaitFlags): ChangeOptions {
  return { wait, timeoutMs: within * 1000 };
}
