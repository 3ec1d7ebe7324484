import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '@carbon/local';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'shift-date.js'));

/** It goes on at its old shift until it has stopped. */
const STOPPED_WITHIN_MS = 30_000;

/**
 * The clocks of single processes; the machine's own is never touched. A Node process reads its shift from a file, so its
 * clock jumps while it runs. An engine gets libfaketime at its next start, with its monotonic clock left alone.
 */
export class Clocks {
  private readonly engineShifts = new Map<string, number>();
  /** When the clock of PostgreSQL was ahead, by that clock: what was written then is dated later than it is now. */
  readonly postgresAhead: { readonly from: number; until: number }[] = [];

  constructor(
    private readonly dir: string,
    /** Path of libfaketime's library; undefined where there is none. */
    private readonly libfaketime: string | undefined,
  ) {
    mkdirSync(dir, { recursive: true });
  }

  /** Moves the clock of an app at once. */
  shiftApp(part: string, ms: number): void {
    writeFileSync(this.fileOf(part), String(ms));
  }

  /** Moves the clock of an engine from its next start on. */
  shiftEngine(part: string, ms: number): void {
    const before = this.engineShifts.get(part) ?? 0;
    this.engineShifts.set(part, ms);
    if (!part.startsWith('postgres')) return;
    const open = this.postgresAhead.at(-1);
    if (open !== undefined && before > 0) open.until = Date.now() + STOPPED_WITHIN_MS + before;
    if (ms > 0) this.postgresAhead.push({ from: Date.now() + ms, until: Number.POSITIVE_INFINITY });
  }

  /** The command of an app, with a clock that can be moved. */
  adaptApp(part: string, command: Command): Command {
    this.shiftApp(part, 0);
    const preload = new URL(`?file=${encodeURIComponent(this.fileOf(part))}`, PRELOAD);
    return { ...command, args: ['--import', preload.href, ...command.args] };
  }

  /** The command of an engine, at its shift. */
  adaptEngine(part: string, command: Command): Command {
    const ms = this.engineShifts.get(part) ?? 0;
    if (ms === 0 || this.libfaketime === undefined) return command;
    const shift = `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1000}`;
    // With its fix for monotonic waits on, Java's timed waits last seconds too long.
    const monotonic = { FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_FORCE_MONOTONIC_FIX: '0' };
    return { ...command, env: { ...command.env, LD_PRELOAD: this.libfaketime, FAKETIME: shift, ...monotonic } };
  }

  private fileOf(part: string): string {
    return join(this.dir, part);
  }
}
