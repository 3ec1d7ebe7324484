import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 16 * 1024;
const TAIL_LINES = 30;

/** The last lines of a log, indented for showing; empty when there is no log. */
export function logTail(file: string): string {
  try {
    const log = openSync(file, 'r');
    try {
      const from = Math.max(0, fstatSync(log).size - TAIL_BYTES);
      const bytes = Buffer.alloc(TAIL_BYTES);
      const text = bytes.toString('utf8', 0, readSync(log, bytes, 0, TAIL_BYTES, from));
      return text.trimEnd().split('\n').slice(-TAIL_LINES).map(indented).join('\n');
    } finally {
      closeSync(log);
    }
  } catch {
    return '';
  }
}

function indented(line: string): string {
  return `  | ${line}`;
}
