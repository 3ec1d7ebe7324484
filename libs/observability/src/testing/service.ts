import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, 'service-program.mjs');

/** A log line of a service. */
export type Line = Readonly<Record<string, unknown>>;

/** The fixture service as a separate process. */
export class ServiceProcess {
  readonly lines: Line[] = [];
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  /** @param managementPort 0 lets the system choose; none by default */
  constructor(behaviour: string, port = 0, managementPort?: number) {
    const ports = [port, managementPort].filter((each) => each !== undefined).map(String);
    const child = spawn(process.execPath, [PROGRAM, behaviour, ...ports], { stdio: ['ignore', 'pipe', 'inherit'] });
    const output = createInterface(child.stdout).on('line', (line) => {
      this.lines.push(JSON.parse(line) as Line);
      child.emit('line');
    });
    this.child = child;
    // Its last lines may arrive after its exit.
    this.exited = Promise.all([once(child, 'exit'), once(output, 'close')]).then(([[code]]) => code as number | null);
  }

  /** Waits for a line whose message matches, and returns it. */
  async waitForLog(sentence: RegExp): Promise<Line> {
    for (;;) {
      const line = this.lines.find(({ message }) => sentence.test(String(message)));
      if (line) return line;
      await Promise.race([
        once(this.child, 'line'),
        this.exited.then(() => Promise.reject(new Error('it has exited'))),
      ]);
    }
  }

  async port(): Promise<number> {
    return Number((await this.waitForLog(/ listens on /)).port);
  }

  async managementPort(): Promise<number> {
    return Number((await this.waitForLog(/^Serving health and metrics/)).port);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  sentences(): string[] {
    return this.lines.map(({ message }) => String(message));
  }
}
