import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { z } from 'zod';

/** A program of ours in a process of its own, which answers one question at a time. */
export class Worker {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;

  /** @param file the built program; it calls {@link answerQuestions} */
  constructor(
    private readonly file: string,
    args: readonly string[] = [],
  ) {
    this.child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.ended = once(this.child, 'exit').then(([code, signal]) => {
      throw new Error(`${this.file} ended before its time (${code ?? signal})`);
    });
    // Only whoever waits for an answer wants to know.
    this.ended.catch(() => {});
  }

  /** @param answer what the answer must look like @throws Error with the program's own words when it fails */
  async ask<T>(question: object, answer: z.ZodType<T>): Promise<T> {
    const reply = once(this.child, 'message');
    this.child.send(question);
    const [message] = await Promise.race([reply, this.ended]);
    if (typeof message === 'object' && message !== null && 'failure' in message) {
      throw new Error(String(message.failure));
    }
    return answer.parse(message);
  }

  /** Ends it at once; resolves when it has ended. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

/** The other end: answers each question as it comes, and ends with the process that asks. */
export function answerQuestions<T>(question: z.ZodType<T>, answer: (question: T) => object | Promise<object>): void {
  process.on('disconnect', () => process.exit());
  const reply = async (message: unknown): Promise<object> => answer(question.parse(message));
  const failure = (error: unknown) => ({ failure: error instanceof Error ? error.stack : String(error) });
  process.on(
    'message',
    (message) =>
      void reply(message)
        .catch(failure)
        .then((words) => process.send?.(words)),
  );
}
