#!/usr/bin/env node
import { loadCliEnvironment, loadConfigOrExit, text, url } from '@carbon/config';
import {
  createProgram,
  InvalidArgumentError,
  isLoopback,
  NOT_LOOPBACK,
  readLoopback,
  runProcess,
} from '@carbon/terminal';
import { z } from 'zod';
import { preparePython } from './python.js';
import { type RunOptions, runSchemathesis } from './run.js';
import { CannotRunError, isLive, runningGateway, startGateway, type Target } from './target.js';

const settings = z.object({
  GATEWAY_URL: url(['http'], { description: 'The gateway that is tested.' })
    .refine(isLoopback, { error: NOT_LOOPBACK })
    .optional(),
  API_KEY: text(/^[\x21-\x7e]+$/, 'a key', { description: 'The API key to send.', secret: true }).optional(),
  PYTHON: text(/\S/, 'a program', { description: 'The Python that makes the environment.' }).optional(),
});

const HELP = `
Tests the gateway at --url. Without it, tests the gateway at GATEWAY_URL or that
of the system running in this checkout, if it responds; otherwise starts a
system of its own, with keys of two accounts, and stops it afterwards. A gateway
that requires keys is called with API_KEY; start that gateway with
RATE_LIMIT_FAILED_KEYS=unlimited, because wrong keys are sent as well.
The first run creates a Python environment in .local/schemathesis from
requirements.txt next to the sources.
Exit codes: 0 every response was as described; 1 a response was not, or the run
was incomplete or too short; 2 usage error; 75 it could not run now; 78 Python is
missing or a setting is wrong.`;

interface Flags extends RunOptions {
  readonly url?: string;
  readonly own: boolean;
}

function integer(min: number, max: number) {
  return (argument: string): number => {
    const value = /^\d{1,15}$/.test(argument) ? Number(argument) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be an integer from ${min} to ${max}.`);
  };
}

async function main(flags: Flags, signal: AbortSignal): Promise<number> {
  const { GATEWAY_URL, API_KEY, PYTHON } = loadConfigOrExit(settings, loadCliEnvironment());
  const python = await preparePython(PYTHON ?? 'python3');
  const target = await findTarget(flags, GATEWAY_URL, API_KEY, signal);
  try {
    return await runSchemathesis(python, target, flags, signal);
  } finally {
    await target.stop();
  }
}

async function findTarget(
  flags: Flags,
  configured: string | undefined,
  key: string | undefined,
  signal: AbortSignal,
): Promise<Target> {
  if (flags.own) return startGateway(signal);
  const address = flags.url ?? configured;
  if (address !== undefined && (await isLive(address))) return runningGateway(address, key);
  if (flags.url !== undefined) throw new CannotRunError(`${flags.url} does not respond.`, 75);
  return startGateway(signal);
}

await runProcess(async (context) =>
  createProgram('schemathesis', context)
    .description('Sends valid and invalid requests generated from the OpenAPI description and checks every response.')
    .option('--url <url>', 'the gateway, on this machine', readLoopback)
    .option('--own', 'start a separate system, even when one runs; ignores --url', false)
    .option('--examples <n>', 'cases generated for each operation and phase', integer(1, 10_000), 450)
    .option('--at-least <n>', 'the minimum number of cases of a run; 1 with --only', integer(1, 1_000_000), 5_000)
    .option('--seed <n>', 'the same seed generates the same cases', integer(0, 2 ** 32), 1)
    .option('--workers <n>', 'requests at a time; above 1 their order varies', integer(1, 64), 1)
    .option('--minutes <n>', 'the longest that a run may take', integer(1, 240), 45)
    .option('--only <operation>', 'test one operation, by its id')
    .addHelpText('after', HELP)
    .action(context.action((flags: Flags) => main(flags, context.streams.signal))),
);
