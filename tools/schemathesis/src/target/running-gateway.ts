import { CannotRun } from '../failures.js';
import type { Target } from './target.js';

const ANSWERS_WITHIN_MS = 5_000;

/** Whether a gateway answers there, ready or not. */
export async function answers(url: string): Promise<boolean> {
  return (await statusOf(`${url}/health/live`)) === 200;
}

/** A gateway that runs, called with the key when it is keyed. @throws CannotRun when it wants a key and takes none of ours */
export async function runningGateway(url: string, key: string | undefined): Promise<Target> {
  const stop = async () => {};
  if ((await statusOf(`${url}/v1/offsets?limit=1`)) !== 401) return { url, identities: [], stop };
  if (key === undefined) throw new CannotRun(`${url} wants a key: set API_KEY.`, 78);
  if ((await statusOf(`${url}/v1/offsets?limit=1`, key)) === 401) {
    throw new CannotRun(`${url} does not take the key that API_KEY holds.`, 78);
  }
  return { url, identities: [{ name: 'caller', key }], stop };
}

async function statusOf(address: string, key?: string): Promise<number | undefined> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  try {
    const answer = await fetch(address, { headers, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return undefined;
  }
}
