import { CANARY } from './canary.js';

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
