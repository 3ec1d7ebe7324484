/**
 * Preload of an app (`node --import`): shifts the wall clock of the process by the milliseconds in a file, whose path is the query
 * parameter `file` of this module's URL. Timers and `performance.now()` are monotonic and unchanged.
 */
import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 100;
const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const RealDate = Date;
let shiftMs = 0;

function readShift(): void {
  try {
    const read = Number(readFileSync(file, 'utf8'));
    if (Number.isSafeInteger(read)) shiftMs = read;
  } catch {
    // The file is removed at the end of a run; the last shift is kept.
  }
}

class ShiftedDate extends RealDate {
  constructor(...args: readonly unknown[]) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...(args as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }

  /** Also true for dates that Node creates itself, with the original class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(RealDate, value);
  }
}

readShift();
setInterval(readShift, READ_EVERY_MS).unref();
globalThis.Date = ShiftedDate as DateConstructor;
