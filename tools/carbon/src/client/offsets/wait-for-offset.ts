import { TimedOutError } from '@carbon/client';
import { Interrupted, NoAnswer } from '@carbon/terminal';
import type { Means } from '../means.js';
import { offsetLines } from './offset-text.js';

/** Waits until an offset has ended, and prints it; 1 when it failed. */
export async function waitForOffset(means: Means, id: string, seconds: number): Promise<number> {
  const { carbon, printer, screen, signal } = means;
  const later = `It goes on without this command: \`show ${id} --wait\` waits again.`;
  try {
    const waiting = carbon.offsets.waitFor(id, { timeoutMs: seconds * 1_000, signal });
    const offset = await means.answered(waiting, `waiting until ${id} is completed`);
    await printer.one(offset, () => offsetLines(offset, printer));
    return offset.status === 'completed' ? 0 : 1;
  } catch (error) {
    if (error instanceof TimedOutError) throw new NoAnswer(`${id} has not ended within ${seconds} s. ${later}`);
    if (error instanceof Interrupted) screen.say(later);
    throw error;
  }
}
