import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@carbon/terminal';
import type { Client } from './client.js';

const TRIES = 5;
const FIRST_PAUSE_MS = 200;

/**
 * Resolves when the gateway answers, whatever it answers: so a command that would retry for minutes ends soon without one.
 * @throws UnavailableError after a few tries
 */
export async function reachGateway(client: Pick<Client, 'get'>, url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const answer = await client.get('/health/live');
    if (answer.kind === 'answer') return;
    if (tries === TRIES) {
      const hint = 'Is it running (`npm start`), and does GATEWAY_URL or --url name it?';
      throw new UnavailableError(`No response from ${url}: ${answer.reason}. ${hint}`);
    }
    await pause(FIRST_PAUSE_MS * 2 ** (tries - 1));
  }
}
