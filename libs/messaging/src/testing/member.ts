import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, 'member-program.mjs');

/** A member's report about one batch: its handler has started or finished. */
export interface Report {
  readonly what: 'begun' | 'handled';
  readonly partition: number;
  readonly numbers: readonly number[];
}

/** A member of the group `offsets` as a separate process. */
export class MemberProcess {
  readonly reports: Report[] = [];
  private readonly child: ChildProcess;

  /** @param behaviour `waits-with-its-first`: its handler does not finish its first batch until `resume` */
  constructor(brokers: readonly string[], prefix: string, behaviour: 'plain' | 'waits-with-its-first' = 'plain') {
    this.child = fork(PROGRAM, [brokers.join(','), prefix, behaviour], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child.on('message', (report: Report) => this.reports.push(report));
  }

  /** Its reports, from the given one on. */
  reported(what: Report['what'], from = 0): Report[] {
    return this.reports.slice(from).filter((report) => report.what === what);
  }

  /** The numbers in the messages it has handled, with repetitions. */
  handled(from = 0): number[] {
    return this.reported('handled', from).flatMap(({ numbers }) => numbers);
  }

  partitions(from = 0): number[] {
    return [...new Set(this.reported('handled', from).map(({ partition }) => partition))].sort(
      (one, other) => one - other,
    );
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Suspends the process: its code does not run, but its connections stay open. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  continue(): void {
    this.child.kill('SIGCONT');
  }

  resume(): void {
    this.child.send('go on');
  }

  async close(): Promise<void> {
    if (!this.running) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
