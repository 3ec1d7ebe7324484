#!/usr/bin/env node
import { resolve } from 'node:path';
import { PartFailed, stopRequests } from '@carbon/local';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { fromRoot } from './processes.js';
import { BENCHES, type BenchName, EXCLUDED_BY_DEFAULT, runBenches } from './run-benches.js';

const CLEAR_LINE = '\r\u001b[K';
let shownStep = '';

/** Shows the current step: in one line that changes in place on a terminal, with a line per step elsewhere. */
function showStep(step: string): void {
  if (step === shownStep) return;
  shownStep = step;
  process.stderr.write(process.stderr.isTTY ? `${CLEAR_LINE}${step}` : `${step}\n`);
}

/** Clears the current line. */
function clearStep(): void {
  if (process.stderr.isTTY && shownStep !== '') process.stderr.write(CLEAR_LINE);
  shownStep = '';
}

const EXIT = { done: 0, failed: 1, wrongUsage: 2, stopped: 130 } as const;
const NAMES = Object.keys(BENCHES) as BenchName[];
const RESULTS = fromRoot('bench/results.json');

const ABOUT = `
  criteria   criteria to a query, compared with other parsers: texts/s of processor time
  start      a warm start, compared with OpenSearch alone, and the minute after it: s, responses with 503, and ms
  console    the first view of the console on a slow processor, until it is usable: ms
  search     searches through the gateway, compared with the same queries to OpenSearch: searches/s, and ms a search
  index      assets from the topic into a new index, compared with the client's bulk helper: assets/s
  publish    npm run assets -- publish, compared with kafkajs alone: assets/s, CPU time, and MB of memory
  accept     POST /v1/offsets, compared with bare Fastify and kafkajs: requests/s, and ms a request
  keyed      POST /v1/offsets with an Idempotency-Key each, compared with none, on a whole system: requests/s, and ms a request
  sustained  POST with a key until completed, 3,100 a second for a minute, on a whole system: offsets/s, ms and s
  footprint  memory of the apps under load, and disk space of completed offsets: MB, and bytes
  drain      a backlog of requests to completed offsets, compared with writing the same rows: offsets/s
  parallel   the backlog by two offsets processes, compared with one, both far from PostgreSQL: offsets/s
  complete   POST until GET returns completed, 100 a second: ms
  read       one completed offset, and a list of 26, compared with bare Fastify and one prepared statement: requests/s, and ms
  list       reading and listing among 2,000,000 offsets, compared with 10,000; fills a store first: ms
  growth     draining, reading, listing and estimating with a large store (--offsets), compared with 10,000: 1/s, and CPU time
  library    searches, all pages and the schema of five times --assets, compared with --assets: ms
Without a name, all except the last three run. Where two variants are compared, they alternate within each round, so that
the speed of the machine matters little.

Every engine and app listens on this machine only. Exit codes: 0 measured (whether or not a goal is met), 1 it could not
be measured, 2 usage error, 130 stopped by Ctrl-C.`;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly assets: number;
  readonly offsets: number;
  readonly large: boolean;
  readonly running: boolean;
  readonly results: string;
}

const between = (least: number, most: number, whole: boolean) => (text: string) => {
  const value = Number(text);
  if (!(value >= least && value <= most) || (whole && !Number.isInteger(value)) || text.trim() === '') {
    throw new InvalidArgumentError(`must be ${whole ? 'a whole number ' : ''}from ${least} to ${most}`);
  }
  return value;
};

const program = new Command('bench')
  .description('Compares the speed of the service with baselines, and prints a table of the results.')
  .addArgument(new Argument('[names...]', 'what to measure').choices(NAMES))
  .option(
    '--rounds <n>',
    'the number of rounds; the two variants alternate. start, index, sustained and footprint: at most 3',
    between(1, 25, true),
    3,
  )
  .option(
    '--seconds <n>',
    'the duration of one measurement of criteria, search, list, read, growth and library',
    between(0.01, 60, false),
    2,
  )
  .option(
    '--assets <n>',
    'how many assets are searched, indexed and published',
    between(1_000, 2_000_000, true),
    200_000,
  )
  .option('--offsets <n>', 'how many offsets are read and listed', between(20_000, 10_000_000, true), 2_000_000)
  .option('--large', 'drain 100,000 requests instead of 20,000', false)
  .option('--running', 'use the running Kafka and OpenSearch of npm start or of the environment', false)
  .addOption(
    new Option('--results <file>', 'the JSON file of the results; the page RESULTS.md is beside it').default(
      RESULTS,
      'bench/results.json',
    ),
  )
  .addHelpText('after', ABOUT)
  .exitOverride();

const signal = stopRequests({ withParent: false, onStop: () => {}, exitCode: EXIT.stopped });

let exitCode: number = EXIT.done;
try {
  program.parse();
  const { rounds, seconds, assets, offsets, large, running, results } = program.opts<Options>();
  const names =
    program.args.length === 0
      ? NAMES.filter((name) => !EXCLUDED_BY_DEFAULT.includes(name))
      : NAMES.filter((name) => program.args.includes(name));
  const backlog = large ? 100_000 : 20_000;
  const options = {
    rounds,
    sliceMs: seconds * 1000,
    assets,
    offsets,
    backlog,
    running,
    report: showStep,
    signal,
  };
  const text = await runBenches(names, options, resolve(results));
  clearStep();
  process.stdout.write(text);
} catch (error) {
  exitCode = report(error);
}
process.exit(exitCode);

function report(error: unknown): number {
  clearStep();
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUsage;
  if (signal.aborted) return EXIT.stopped;
  process.stderr.write(`The benchmark failed: ${describeError(error)}\n`);
  return EXIT.failed;
}

/** Our own errors and those of the launcher need no stack trace; any other error is a bug in the benchmark. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = error instanceof PartFailed || error.name === 'Error';
  return isExpected ? error.message : (error.stack ?? error.message);
}
