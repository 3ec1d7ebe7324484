import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';

const FIXTURE = join(import.meta.dirname, 'fixture', 'member.mjs');

const reportSchema = z.object({
  what: z.enum(['begun', 'handled']),
  partition: z.number(),
  numbers: z.array(z.number()),
});

/** What a member tells of one batch: that its handler begins with it, or has done it. */
export type Report = z.infer<typeof reportSchema>;

/** `waits-with-its-first`: its handler is not through with its first batch until `goOn`. */
export type Behaviour = 'plain' | 'waits-with-its-first';

/** A member of the group `offsets` as a process of its own. */
export class MemberProcess {
  readonly reports: Report[] = [];
  private readonly child: ChildProcess;

  constructor(brokers: readonly string[], prefix: string, behaviour: Behaviour = 'plain') {
    this.child = fork(FIXTURE, [brokers.join(','), prefix, behaviour], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child.on('message', (report) => this.reports.push(reportSchema.parse(report)));
  }

  /** What it has told, from the given report on. */
  told(what: Report['what'], from = 0): Report[] {
    return this.reports.slice(from).filter((report) => report.what === what);
  }

  /** The numbers in the messages it has handled, as often as it has. */
  handled(from = 0): number[] {
    return this.told('handled', from).flatMap(({ numbers }) => numbers);
  }

  partitions(from = 0): number[] {
    return [...new Set(this.told('handled', from).map(({ partition }) => partition))].sort();
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The system takes the processor from it: nothing of it runs, its connections stay open. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  continue(): void {
    this.child.kill('SIGCONT');
  }

  goOn(): void {
    this.child.send('go on');
  }

  async end(): Promise<void> {
    if (!this.running) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
