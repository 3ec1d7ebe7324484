import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testSettings } from './test-engines.js';

/**
 * Stands in test data that must not be logged: customers' references, bodies, headers, queries. After all tests every log
 * is searched for it, so whoever puts it into a request also tests that no log holds that part of it.
 */
export const CANARY = 'canary-3e1f9b';

const ENDING = '.log';
/** Enough to see what it is. */
const MOST_SHOWN = 10;

/** What a logger writes its lines to. */
export interface LogStream {
  write(line: string): void;
}

/** Makes the folder that a test run keeps all logs in. */
export function makeLogFolder(): string {
  return mkdtempSync(join(tmpdir(), 'carbon-test-logs-'));
}

/** Where an app that runs within a test writes its log, so that it is looked at after the run; lost in unit tests. */
export function testLog(app: string): LogStream {
  const folder = testSettings().TEST_LOGS;
  if (folder === undefined) return { write: () => {} };
  const file = open.get(app) ?? openSync(join(folder, `${app}-${process.pid}${ENDING}`), 'a');
  open.set(app, file);
  return { write: (line) => void writeSync(file, line) };
}

/** The files that this worker writes, by app. */
const open = new Map<string, number>();

/** Keeps the logs of a system of processes, which are in a folder that is about to be removed. */
export function keepLogs(from: string): void {
  const folder = testSettings().TEST_LOGS;
  if (folder === undefined || !existsSync(from)) return;
  const system = randomUUID();
  for (const name of readdirSync(from).filter((file) => file.includes(ENDING))) {
    copyFileSync(join(from, name), join(folder, `${system}-${name}`));
  }
}

/** Removes the logs of a run when nothing is in them that must not be; else they stay, and it throws. */
export function searchLogs(folder: string): void {
  const files = readdirSync(folder);
  const leaks = files.flatMap((file) => findLeaks(file, readFileSync(join(folder, file), 'utf8')));
  if (leaks.length > 0) throw new Error(report(folder, leaks));
  rmSync(folder, { recursive: true });
  process.stderr.write(`${files.length} logs of the tests hold no key, body or customer's reference\n`);
}

function report(folder: string, leaks: readonly Leak[]): string {
  const shown = leaks
    .slice(0, MOST_SHOWN)
    .map(({ file, line, what, text }) => `${folder}/${file}:${line} holds ${what}: ${text.slice(0, 400)}`);
  return `${leaks.length} lines of log hold what no log may hold:\n${shown.join('\n')}`;
}

/** What no line of any log may hold, and what to call it. */
const LEAKS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a marked value of test data', new RegExp(CANARY)],
  // An underscore may stand there as an address encodes it.
  ['an API key', /cl(?:_|%5f)live(?:_|%5f)[0-9A-Za-z]+(?:_|%5f)[0-9A-Za-z]{8}/i],
  ['an Authorization header', /\bbearer\s+[^\s"\\]{8}/i],
  ['a secret', /-of-at-least-32-characters|\bpostgres(?:ql)?:\/\/[^\s:/@]+:[^\s@]+@/],
  // Also where JSON stands as text within JSON. Names of dropped fields stand in a list, and have no colon behind them.
  [
    'a member of a body or of a head',
    /"(?:kgCO2e|customerRef|customer_ref|retryKey|idempotency-?key|authorization|x-api-key|x-internal-secret|cookie)\\*"\s*:/i,
  ],
];

/** A line that holds what it must not. */
export interface Leak {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly what: string;
  readonly text: string;
}

/** The leaks of one log. */
export function findLeaks(file: string, log: string): Leak[] {
  return log
    .split('\n')
    .flatMap((text, at) =>
      LEAKS.filter(([, pattern]) => pattern.test(text)).map(([what]) => ({ file, line: at + 1, what, text })),
    );
}
