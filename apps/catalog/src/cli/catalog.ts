import { Screen } from '@carbon/terminal';
import { Logger } from '@nestjs/common';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type ChangeOptions, drop, rebuild, use } from './change-generation.js';
import { type Engines, withEngines } from './engines.js';
import { CannotDo, EXIT, VERDICT_EXIT, WrongUsage } from './failures.js';
import { status } from './status.js';
import { report as findings, verdictOf, verifyLibrary } from './verify/verify-library.js';

const LONGEST_SECONDS = 86_400;
const MOST_LINES = 10_000;

const ENVIRONMENT = `
Works on the system that runs in this checkout; elsewhere by OPENSEARCH_URL,
INDEX_PREFIX, KAFKA_BROKERS, TOPIC_PREFIX.
Exit codes: 0 done, 1 it differs or could not be done, 2 wrong usage, 3 \`verify\`
found no difference but could not compare all.`;

const REBUILD = `
The next generation of the indices is filled from the topic by the running
catalog instances, beside the live one. When it has caught up, both aliases move
to it at one moment: searches never see less than the whole library. The old one
is removed ten minutes later.`;

const VERIFY = `
May run while assets are published. Missing: the topic has the asset and the
index has not. Surplus: the other way round. Different: some field is not the
same. Ahead: of a version that the topic has not reached, so that news would be
refused.
What changes all the while is counted as not compared: when nothing differs but
something was not compared, it ends with 3, and may be run again when less is
published. A rebuild mends whatever differs; what OpenSearch refused differs
after it as well and has a dead letter that says why.`;

interface Waiting {
  readonly wait: boolean;
  readonly within: number;
}

let exitCode: number = EXIT.done;
const screen = new Screen(process.stderr);
const doing = async (work: (engines: Engines) => Promise<unknown>) => {
  await withEngines(work);
};

const upTo = (most: number) => (text: string) => {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value >= 1 && value <= most) return value;
  throw new InvalidArgumentError(`must be an integer from 1 to ${most}`);
};

const pollOptions = ({ wait, within }: Waiting): ChangeOptions => ({ wait, withinMs: within * 1000 });

function changing(command: Command): Command {
  return command
    .option('--no-wait', 'do not stay until it is live')
    .option('--within <seconds>', 'how long to stay at most', upTo(LONGEST_SECONDS), 3_600);
}

const program = new Command('catalog')
  .usage('status|rebuild|use|drop|verify')
  .description('Looks after the indices of the asset library.')
  .addHelpText('after', ENVIRONMENT)
  .exitOverride();

program
  .command('status')
  .description('list the generations of the indices')
  .action(() =>
    doing(async (engines) => {
      for (const line of await status(engines)) process.stdout.write(`${line}\n`);
    }),
  );

changing(program.command('rebuild'))
  .description('build the next generation from the topic and let it take the place of the live one')
  .addHelpText('after', REBUILD)
  .action((options: Waiting) => doing((engines) => rebuild(engines, screen, pollOptions(options))));

changing(program.command('use'))
  .argument('<generation>', 'as `status` calls it')
  .description('let a generation that stands take the place of the live one, also an older one')
  .option('--now', 'do not wait until it has caught up: searches may find less, or what is no longer so', false)
  .action((name: string, { now, ...options }: Waiting & { now: boolean }) =>
    doing((engines) => use(engines, screen, name, { now, ...pollOptions(options) })),
  );

program
  .command('drop')
  .argument('<generation...>', 'as `status` calls them')
  .description('remove generations that are not live')
  .action((names: string[]) => doing((engines) => drop(engines, screen, names)));

program
  .command('verify')
  .description(
    'compare what searches see with the topic, by content; exit 1 when it differs, 3 when not all could be compared',
  )
  .option('--lines <n>', 'how many differences to print', upTo(MOST_LINES), 20)
  .addHelpText('after', VERIFY)
  .action(({ lines }: { lines: number }) =>
    doing(async (engines) => {
      const found = await verifyLibrary(engines, screen);
      for (const line of findings(found, lines)) process.stdout.write(`${line}\n`);
      exitCode = VERDICT_EXIT[verdictOf(found)];
    }),
  );

Logger.overrideLogger(false);
try {
  await program.parseAsync();
} catch (error) {
  exitCode = report(error);
}
// A connection that is still being tried must not keep a command from ending.
process.exit(exitCode);

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  if (!(error instanceof WrongUsage || error instanceof CannotDo)) throw error;
  screen.say(error.message);
  return error instanceof WrongUsage ? EXIT.wrongUsage : EXIT.failed;
}
