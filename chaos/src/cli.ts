#!/usr/bin/env node
import { checkedOutCommit } from '@carbon/local';
import {
  createProgram,
  EXIT,
  InvalidArgumentError,
  Option,
  ProgressReporter,
  runProcess,
  UsageError,
} from '@carbon/terminal';
import { loadFaults } from './load-modules.js';
import { keep, WRITTEN } from './report/results-page.js';
import { linesOf, reportOf } from './report/run-report.js';
import { runBugs } from './run-bugs.js';
import { runProfile } from './run-profile.js';
import { PROFILES, type Profile } from './system/shape.js';
import { useOwnMounts } from './system/small-disk.js';

const ABOUT = `
smoke  one broker, about 3 minutes
ci     three brokers, about 10 minutes
full   three brokers, two of every app, two search nodes, at most 50 minutes

Everything listens on this machine only, and ends with this command. Engines, apps
and data live in a temporary folder, which is removed. The same seed gives the same
faults in the same order; odd seeds have an external registry.

Exit codes: 0 passed, 1 something was lost, doubled, stuck ..., 2 usage error.`;

interface Options {
  readonly profile: Profile;
  readonly seed: number;
  readonly fault?: readonly string[];
  readonly bugs?: boolean | readonly string[];
  readonly list: boolean;
  readonly keep: boolean;
  readonly json: boolean;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new InvalidArgumentError('must be a whole number, such as 7');
}

async function chaos({ profile, seed, fault, bugs, ...options }: Options, signal: AbortSignal): Promise<number> {
  if (options.list) return await list(options.json);
  const smallDisks = profile === 'full' && bugs === undefined && useOwnMounts();
  const screen = new ProgressReporter(process.stderr);
  const say = (step: string) => screen.say(step);
  if (bugs !== undefined && bugs !== false) return await runBugs({ ...selectBugs(bugs), seed, signal, say });
  if (fault !== undefined && options.keep)
    throw new UsageError('Only complete profiles can be kept: omit --fault or --keep.');
  await requireFaults(fault ?? []);
  // Commits during the run are not part of it.
  const from = checkedOutCommit(WRITTEN);
  say(`profile ${profile}, seed ${seed}`);
  const run = await runProfile({ profile, seed, smallDisks, signal, say, ...(fault !== undefined && { only: fault }) });
  const report = reportOf({ profile, seed, only: fault, commit: from }, run);
  if (options.keep) keep(report);
  const lines = options.json ? [JSON.stringify(report, null, 2)] : linesOf(report, process.stdout.columns || 100);
  process.stdout.write(`${lines.join('\n')}\n`);
  return report.passed ? EXIT.done : EXIT.failed;
}

function selectBugs(bugs: true | readonly string[]): { only?: readonly string[] } {
  return bugs === true ? {} : { only: bugs };
}

async function list(asJson: boolean): Promise<number> {
  for (const { name, does, times, needs = [] } of await loadFaults()) {
    const profiles = Object.entries(times).map(([profile, count]) => `${profile} ${count}`);
    const sentence = `${name}: ${does} (${[...profiles, ...needs].join(', ')})`;
    process.stdout.write(`${asJson ? JSON.stringify({ name, does, times, needs }) : sentence}\n`);
  }
  return EXIT.done;
}

async function requireFaults(names: readonly string[]): Promise<void> {
  const known = (await loadFaults()).map(({ name }) => name);
  const wrong = names.filter((name) => !known.includes(name));
  if (wrong.length > 0) throw new UsageError(`There is no fault ${wrong.join(', ')}. Faults: ${known.join(', ')}`);
}

await runProcess(async (context) =>
  createProgram('chaos', context)
    .description('Injects failures into a whole system under load, on this machine, and counts losses.')
    .addOption(new Option('--profile <name>', 'how much').choices(PROFILES).default('smoke'))
    .option(
      '--seed <n>',
      'the seed of the order and the times of the faults',
      seedOf,
      Math.floor(Math.random() * 1_000_000),
    )
    .option('--fault <names...>', 'only these faults, once per mention')
    .option('--bugs [names...]', 'test the harness: build each deliberate bug and check that its scenario detects it')
    .option('--list', 'list the faults', false)
    .option('--keep', 'keep the result in chaos/results and write chaos/RESULTS.md', false)
    .option('--json', 'print the report, or each fault of the list, as JSON', false)
    .addHelpText('after', ABOUT)
    .action(context.action((options: Options) => chaos(options, context.streams.signal))),
);
