import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '@carbon/local';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'shift-date.js'));

/** It keeps its old shift until it has stopped. */
const STOPPED_TIMEOUT_MS = 30_000;

/**
 * Shifts the clocks of single processes; the machine's own is never changed. A Node process reads its shift from a
 * file, so its clock jumps while it runs. An engine gets libfaketime at its next start, with its monotonic clock
 * unchanged.
 */
export class Clocks {
  private readonly engineShifts = new Map<string, number>();
  /**
   * The periods in which PostgreSQL's clock was ahead, by that clock: rows of these periods have a later date than now.
   */
  readonly postgresAhead: { readonly from: number; until: number }[] = [];

  constructor(
    private readonly dir: string,
    /** Path of libfaketime's library; undefined without it. */
    private readonly libfaketime: string | undefined,
  ) {
    mkdirSync(dir, { recursive: true });
  }

  /** Shifts the clock of an app at once. */
  shiftApp(part: string, ms: number): void {
    writeFileSync(this.fileOf(part), String(ms));
  }

  /** Shifts the clock of an engine from its next start on. */
  shiftEngine(part: string, ms: number): void {
    const before = this.engineShifts.get(part) ?? 0;
    this.engineShifts.set(part, ms);
    if (!part.startsWith('postgres')) return;
    const open = this.postgresAhead.at(-1);
    if (open !== undefined && before > 0) open.until = Date.now() + STOPPED_TIMEOUT_MS + before;
    if (ms > 0) this.postgresAhead.push({ from: Date.now() + ms, until: Number.POSITIVE_INFINITY });
  }

  /** Returns the command of an app, with a clock that can be shifted. */
  adaptApp(part: string, command: Command): Command {
    this.shiftApp(part, 0);
    const preload = new URL(`?file=${encodeURIComponent(this.fileOf(part))}`, PRELOAD);
    return { ...command, args: ['--import', preload.href, ...command.args] };
  }

  /** Returns the command of an engine, with its shift. */
  adaptEngine(part: string, command: Command): Command {
    const ms = this.engineShifts.get(part) ?? 0;
    if (ms === 0 || this.libfaketime === undefined) return command;
    const shift = `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1000}`;
    // With its fix for monotonic waits, Java's timed waits last seconds too long.
    const monotonic = { FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_FORCE_MONOTONIC_FIX: '0' };
    return { ...command, env: { ...command.env, LD_PRELOAD: this.libfaketime, FAKETIME: shift, ...monotonic } };
  }

  private fileOf(part: string): string {
    return join(this.dir, part);
  }
}
