import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CannotRunError, findKnownIds, type Target } from './target.js';

const PACKAGE = join(import.meta.dirname, '..');
const RUN_DIR = join(PACKAGE, '../../.local/schemathesis/last');
/** Checks of keys, which an open gateway does not require. */
const KEY_CHECKS = ['ignored_auth', 'object_level_authorization'];

/** What bounds a run and makes it repeatable. */
export interface RunOptions {
  /** Cases generated for each operation and phase, besides those that cover the description. */
  readonly examples: number;
  readonly atLeast: number;
  readonly seed: number;
  readonly workers: number;
  readonly minutes: number;
  /** The id of the only operation to test. */
  readonly only?: string;
}

const reportSchema = z.object({
  complete: z.boolean(),
  operations: z.object({ selected: z.number(), tested: z.number() }).nullable(),
  test_cases: z.object({ generated: z.number(), with_failures: z.number() }),
  errors: z.array(z.object({ title: z.string(), count: z.number() })),
});

/** What of the JSON report decides whether a run passed. */
export type Report = z.output<typeof reportSchema>;

/** Tests the gateway; schemathesis prints its findings. @returns the exit code: 0 when the run was whole and nothing failed */
export async function runSchemathesis(
  python: string,
  target: Target,
  options: RunOptions,
  signal: AbortSignal,
): Promise<number> {
  rmSync(RUN_DIR, { recursive: true, force: true });
  mkdirSync(RUN_DIR, { recursive: true, mode: 0o700 });
  for (const file of ['schemathesis.toml', 'checks.py']) cpSync(join(PACKAGE, file), join(RUN_DIR, file));
  for (const [kind, id] of Object.entries(await findKnownIds(target, signal))) {
    writeFileSync(join(RUN_DIR, `${kind}.dict`), `${JSON.stringify(id)}\n`);
  }
  // What follows removes the keys again, and nothing in between awaits.
  signal.throwIfAborted();
  if (target.keys.length > 0) writeKeys(target.keys);
  process.stderr.write(`testing ${target.url}${target.keys.length === 0 ? ', which requires no keys' : ''}\n`);
  const args = ['-m', 'schemathesis.cli', ...argumentsOf(target, options)];
  // The time-out ends the run whatever schemathesis generates.
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const child = spawn(python, args, { cwd: RUN_DIR, stdio: [...stdio], timeout: options.minutes * 60_000 });
  const end = () => {
    child.kill();
    // A second Ctrl-C ends this process before the run has ended.
    rmSync(join(RUN_DIR, 'keys.json'), { force: true });
  };
  signal.addEventListener('abort', end);
  const [code, endedBy] = await once(child, 'exit').finally(() => {
    signal.removeEventListener('abort', end);
    rmSync(join(RUN_DIR, 'keys.json'), { force: true });
  });
  signal.throwIfAborted();
  if (endedBy !== null)
    throw new CannotRunError(`The run was ended by ${endedBy} within ${options.minutes} minutes.`, 75);
  const failures = failuresOf(readReport(code), options.only === undefined ? options.atLeast : 1);
  for (const failure of failures) console.log(`FAILED  ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

/** Keys in the format of the Web Fuzzing Commons, in a file that is removed after the run. */
function writeKeys(keys: readonly string[]): void {
  const auth = keys.map((key, at) => ({
    name: `account${at}`,
    fixedHeaders: [{ name: 'Authorization', value: `Bearer ${key}` }],
  }));
  writeFileSync(join(RUN_DIR, 'keys.json'), JSON.stringify({ auth }), { mode: 0o600 });
  const names = JSON.stringify(auth.map(({ name }) => name));
  const peers = keys.length > 1 ? `peers = ${names}\n` : '';
  appendFileSync(join(RUN_DIR, 'schemathesis.toml'), `\n[auth.wfc]\npath = "keys.json"\nuser = "account0"\n${peers}`);
}

function argumentsOf({ url, keys }: Target, { examples, seed, workers, only }: RunOptions): string[] {
  const excluded = ['positive_data_acceptance', ...(keys.length === 0 ? KEY_CHECKS : [])];
  const reports = '--report json,junit --report-json-path report.json --report-dir .';
  const run = `run ${url}/openapi.json --url ${url} --checks all --exclude-checks ${excluded} --mode all
    --phases examples,coverage,fuzzing,stateful --max-examples ${examples} --seed ${seed} --workers ${workers} ${reports}`;
  return [...run.split(/\s+/), ...(only === undefined ? [] : ['--include-operation-id', only])];
}

function readReport(code: unknown): Report {
  try {
    return reportSchema.parse(JSON.parse(readFileSync(join(RUN_DIR, 'report.json'), 'utf8')));
  } catch (cause) {
    throw new CannotRunError(`schemathesis ended with ${code} and left no report: ${cause}`, 75);
  }
}

/** Why a run does not pass; empty when it was whole, long enough and without failures. */
export function failuresOf({ operations, test_cases, errors, complete }: Report, atLeast: number): string[] {
  const { generated, with_failures: failed } = test_cases;
  const { tested, selected } = operations ?? { tested: 0, selected: 0 };
  return [
    ...(complete ? [] : ['the run is incomplete']),
    ...(tested === 0 || tested < selected ? [`${tested} of ${selected} operations were tested`] : []),
    ...(generated < atLeast ? [`${generated} cases are fewer than ${atLeast}`] : []),
    ...(failed > 0 ? [`${failed} cases failed a check`] : []),
    ...errors.map(({ title, count }) => `${title}: ${count} times`),
  ];
}
