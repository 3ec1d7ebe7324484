import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testSettings } from './test-engines.js';

/**
 * A marker for test data that must not be logged: customers' references, bodies, headers, queries. After the run every log is
 * searched for it.
 */
export const CANARY = 'canary-3e1f9b';

const ENDING = '.log';
const MAX_SHOWN = 10;

/** The destination of a logger. */
export interface LogStream {
  write(line: string): void;
}

/** Creates the folder for the logs of a test run. */
export function makeLogFolder(): string {
  return mkdtempSync(join(tmpdir(), 'carbon-test-logs-'));
}

/** Returns the log of an app within a test, searched after the run; discarded in unit tests. */
export function testLog(app: string): LogStream {
  const folder = testSettings().TEST_LOGS;
  if (folder === undefined) return { write: () => {} };
  const file = open.get(app) ?? openSync(join(folder, `${app}-${process.pid}${ENDING}`), 'a');
  open.set(app, file);
  return { write: (line) => void writeSync(file, line) };
}

/** The open log files of this worker, by app. */
const open = new Map<string, number>();

/** Copies the logs of a system of processes from a folder that will be removed. */
export function copyLogs(from: string): void {
  const folder = testSettings().TEST_LOGS;
  if (folder === undefined || !existsSync(from)) return;
  const system = randomUUID();
  for (const name of readdirSync(from).filter((file) => file.includes(ENDING))) {
    copyFileSync(join(from, name), join(folder, `${system}-${name}`));
  }
}

/**
 * Removes the logs of a run.
 * @throws Error and keeps them if one contains a key, a body or a reference, or tells that a field was dropped
 */
export function removeCleanLogs(folder: string): void {
  const files = readdirSync(folder);
  const leaks = files.flatMap((file) => findLeaks(file, readFileSync(join(folder, file), 'utf8')));
  if (leaks.length > 0) throw new Error(report(folder, leaks));
  rmSync(folder, { recursive: true });
  process.stderr.write(`${files.length} logs of the tests hold no key, body or customer's reference\n`);
}

function report(folder: string, leaks: readonly Leak[]): string {
  const shown = leaks
    .slice(0, MAX_SHOWN)
    .map(({ file, line, what, text }) => `${folder}/${file}:${line} holds ${what}: ${text.slice(0, 400)}`);
  return `${leaks.length} lines of log hold what no log may hold:\n${shown.join('\n')}`;
}

/** What no log line may contain, with its name. */
const LEAKS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a marked value of test data', new RegExp(CANARY)],
  // URLs may encode the underscore.
  ['an API key', /cl(?:_|%5f)live(?:_|%5f)[0-9A-Za-z]+(?:_|%5f)[0-9A-Za-z]{8}/i],
  ['an Authorization header', /\bbearer\s+[^\s"\\]{8}/i],
  ['a secret', /-of-at-least-32-characters|\bpostgres(?:ql)?:\/\/[^\s:/@]+:[^\s@]+@/],
  // Also in JSON within JSON. The names of dropped fields are in a list, without a colon.
  [
    'a field of a body or a header',
    /"(?:kgCO2e|customerRef|customer_ref|retryKey|idempotency-?key|authorization|x-api-key|x-internal-secret|cookie)\\*"\s*:/i,
  ],
  ['a field that is not in LOG_FIELDS and was dropped', /"dropped":\[/],
];

/** A log line with a leak. */
export interface Leak {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly what: string;
  readonly text: string;
}

/** Returns the leaks in a log. */
export function findLeaks(file: string, log: string): Leak[] {
  return log
    .split('\n')
    .flatMap((text, at) =>
      LEAKS.filter(([, pattern]) => pattern.test(text)).map(([what]) => ({ file, line: at + 1, what, text })),
    );
}
