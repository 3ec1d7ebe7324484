#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCliEnvironment, loadConfigOrExit } from '@carbon/config';
import { createProgram, InvalidArgumentError, interruption, runProcess } from '@carbon/terminal';
import { CannotRun } from './failures.js';
import { environment } from './python/environment.js';
import { findPython } from './python/find-python.js';
import { countsOf, faultsOf } from './run/report.js';
import { type RunOptions, runSchemathesis } from './run/run-schemathesis.js';
import { isLoopback, settings } from './settings.js';
import { ownSystem } from './target/own-system.js';
import { answers, runningGateway } from './target/running-gateway.js';
import type { Target } from './target/target.js';

const CHECKOUT = join(import.meta.dirname, '../../..');
const ENVIRONMENT = join(CHECKOUT, '.local/schemathesis/python');
const FILES = join(CHECKOUT, '.local/schemathesis/last');
const MOST_EXAMPLES = 10_000;

const HELP = `
Takes the gateway that --url, GATEWAY_URL or the system running in this checkout
names, when it answers; else it starts a system of its own, with keys of two
accounts, and stops it afterwards. A gateway that asks for keys is called with
API_KEY; it should run with RATE_LIMIT_FAILED_KEYS=unlimited, for wrong keys are
tried as well.
The Python environment is made in .local/schemathesis at the first run, from
requirements.txt beside the sources.
Exit codes: 0 every answer was as described, 1 one was not, 2 wrong usage, 75 it
could not be done now, 78 Python is missing or a setting is wrong.`;

interface Flags extends RunOptions {
  readonly url?: string;
  readonly own: boolean;
  readonly atLeast: number;
}

const say = (sentence: string) => process.stderr.write(`${sentence}\n`);

function whole(from: number, to: number) {
  return (text: string): number => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= from && value <= to) return value;
    throw new InvalidArgumentError(`must be ${from} to ${to}`);
  };
}

function loopback(text: string): string {
  if (isLoopback(text)) return new URL(text).origin;
  throw new InvalidArgumentError('must be an address on this machine, such as http://127.0.0.1:3000');
}

async function main(flags: Flags): Promise<number> {
  const { GATEWAY_URL, API_KEY, PYTHON } = loadConfigOrExit(settings, loadCliEnvironment());
  const requirements = readFileSync(join(import.meta.dirname, '../requirements.txt'), 'utf8');
  const python = await environment(() => findPython(PYTHON), { dir: ENVIRONMENT, requirements, say });
  const target = await targetOf(flags, GATEWAY_URL, API_KEY);
  try {
    say(
      `asking ${target.url}${target.identities.length === 0 ? ', which is open: nothing is learned about keys' : ''}`,
    );
    const report = await runSchemathesis(python, target, FILES, flags);
    for (const line of countsOf(report)) console.log(line);
    const faults = faultsOf(report, flags.only === undefined ? flags.atLeast : 1);
    for (const fault of faults) console.log(`FAULT       ${fault}`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await target.stop();
  }
}

async function targetOf({ url, own }: Flags, configured: string | undefined, key: string | undefined): Promise<Target> {
  const named = url ?? configured;
  if (!own && named !== undefined && (await answers(named))) return runningGateway(named, key);
  if (url !== undefined) throw new CannotRun(`${url} does not answer.`, 75);
  return ownSystem(say, interruption());
}

await runProcess(async (context) =>
  createProgram('schemathesis', context)
    .description(
      'Asks the gateway whatever its OpenAPI description allows, and much that it does not, and judges each answer.',
    )
    .option('--url <url>', 'the gateway, on this machine', loopback)
    .option('--own', 'start a system of its own even where one runs', false)
    .option('--examples <n>', 'cases drawn for each operation, in each mode', whole(1, MOST_EXAMPLES), 450)
    .option('--at-least <n>', 'how many cases there must be in all', whole(1, 1_000_000), 5_000)
    .option('--seed <n>', 'the same seed draws the same cases', whole(0, 2 ** 32), 1)
    .option(
      '--workers <n>',
      'how many at a time; with more than 1 the order is not the same each time',
      whole(1, 64),
      1,
    )
    .option('--minutes <n>', 'the longest that it may take', whole(1, 240), 45)
    .option('--only <operation>', 'one operation, by its id')
    .addHelpText('after', HELP)
    .action(context.action((flags: Flags) => main(flags))),
);
