import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../failures.js';
import type { Target } from '../target/target.js';
import { configuration, identitiesDocument } from './configuration.js';
import { knownThings } from './known-things.js';
import { type Report, readReport } from './report.js';

const CHECKS = join(import.meta.dirname, '../../checks.py');
/** In its place stands the check of checks.py. */
const REPLACED = ['positive_data_acceptance'];
/** An open gateway asks nobody for a key, whatever its description says of one that does. */
const OF_KEYS = ['ignored_auth', 'object_level_authorization'];

/** How a run is bounded and repeated. */
export interface RunOptions {
  /** Cases drawn at random for each operation and phase; besides them come those that cover the description. */
  readonly examples: number;
  readonly seed: number;
  readonly minutes: number;
  readonly workers: number;
  /** One operation's id, to look at what was found. */
  readonly only?: string;
}

/** Asks a gateway in every way that its own description allows, and in many that it does not. @param dir for its files */
export async function runSchemathesis(
  python: string,
  target: Target,
  dir: string,
  options: RunOptions,
): Promise<Report> {
  const { url, identities } = target;
  const place = (name: string) => join(dir, name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const identitiesFile = place('identities.json');
  writeFileSync(identitiesFile, identitiesDocument(identities), { mode: 0o600 });
  const known = await knownThings(target);
  const facts = { checksFile: CHECKS, identitiesFile, identities, known };
  writeFileSync(place('schemathesis.toml'), configuration(facts));
  const left = identities.length === 0 ? [...REPLACED, ...OF_KEYS] : REPLACED;
  const asked = ['run', `${url}/openapi.json`, '--url', url, '--checks', 'all', '--exclude-checks', left.join(',')];
  const reports = ['--report', 'json,junit', '--report-json-path', place('report.json'), '--report-dir', dir];
  const args = ['--config-file', place('schemathesis.toml'), ...asked, ...bounds(options), ...reports];
  // With a time-out of its own: whatever it draws, it stops.
  const child = spawn(python, ['-m', 'schemathesis.cli', ...args], {
    cwd: dir,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: options.minutes * 60_000,
  });
  const [code, signal] = await once(child, 'exit');
  rmSync(identitiesFile);
  if (signal !== null) throw new CannotRun(`It was ended by ${signal} after at most ${options.minutes} minutes.`, 75);
  return report(place('report.json'), code);
}

function bounds({ examples, seed, workers, only }: RunOptions): string[] {
  const words = ['--phases', 'examples,coverage,fuzzing,stateful', '--mode', 'all'];
  const numbers = { 'max-examples': examples, seed, workers };
  const bounded = Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return [...words, ...bounded, ...(only === undefined ? [] : ['--include-operation-id', only])];
}

function report(file: string, code: unknown): Report {
  try {
    return readReport(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CannotRun(`schemathesis ended with ${code} and left no report: ${cause}`, 75);
  }
}
