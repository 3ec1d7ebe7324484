import { setTimeout as pause } from 'node:timers/promises';
import { CommandError, EXIT, UnavailableError } from '@carbon/terminal';
import type { Client } from './client.js';

const TRIES = 5;
const FIRST_PAUSE_MS = 200;
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [401, 'API_KEY is missing or unknown there'],
  [403, 'the key of API_KEY lacks the scope'],
]);

/**
 * Resolves when the gateway answers and permits what the command does, whatever else it answers: so a command that would retry for
 * minutes ends soon without one. @param path what the command's key must be allowed to read
 * @throws UnavailableError after a few tries; CommandError with 77
 */
export async function reachGateway(client: Pick<Client, 'get'>, url: string, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await client.get('/health/live');
    if (answer.kind === 'answer') break;
    if (tries === TRIES) {
      const hint = 'Is it running (`npm start`), and does GATEWAY_URL or --url name it?';
      throw new UnavailableError(`No response from ${url}: ${answer.reason}. ${hint}`);
    }
    await pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
  }
  const answer = await client.get(path);
  const reason = answer.kind === 'answer' ? REFUSALS.get(answer.status) : undefined;
  if (reason !== undefined) throw new CommandError(`${url} refuses ${path}: ${reason}.`, EXIT.forbidden);
}
