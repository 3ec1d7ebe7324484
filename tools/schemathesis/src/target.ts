import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMPTY_KEY_FILE, newKey, SCOPES, secretDigest, writeKeyFile } from '@carbon/auth';
import { startSystem, temporaryDir } from '@carbon/local';
import { CommandError } from '@carbon/terminal';

const REQUEST_TIMEOUT_MS = 10_000;
/** A system that has just started may answer its first searches with 503. */
const WARM_UP_MS = 60_000;

/** The run cannot start or has no result: exit code 75 when it may succeed later, 78 when something must be set up. */
export class CannotRunError extends CommandError {
  override readonly name = 'CannotRunError';

  constructor(
    message: string,
    override readonly exitCode: 75 | 78,
  ) {
    super(message);
  }
}

/** The gateway that is tested. */
export interface Target {
  readonly url: string;
  /** Requests are sent with the first key; objects of its account must stay hidden from the others. Empty for an open gateway. */
  readonly keys: readonly string[];
  stop(): Promise<void>;
}

/** Ids of objects that the first caller may read. */
export type KnownIds = Readonly<Record<'offset' | 'estimate' | 'asset', string>>;

/** Returns whether a gateway responds at this URL, ready or not. */
export async function isLive(url: string): Promise<boolean> {
  return (await statusOf(`${url}/health/live`)) === 200;
}

/** Returns a gateway that is already running. @throws CannotRunError if it requires a key and `key` is missing or invalid */
export async function runningGateway(url: string, key: string | undefined): Promise<Target> {
  const stop = async () => {};
  if ((await statusOf(`${url}/v1/offsets?limit=1`)) !== 401) return { url, keys: [], stop };
  if (key === undefined) throw new CannotRunError(`${url} requires a key: set API_KEY.`, 78);
  if ((await statusOf(`${url}/v1/offsets?limit=1`, key)) !== 401) return { url, keys: [key], stop };
  throw new CannotRunError(`${url} does not accept the key in API_KEY.`, 78);
}

/** Starts a complete system in a temporary folder. Its gateway accepts the keys of two accounts. */
export async function startGateway(signal: AbortSignal): Promise<Target> {
  const folder = await temporaryDir();
  const keys = ['first', 'second'].map((account) => ({ account, ...newKey() }));
  const file = join(folder.dir, 'keys.json');
  const createdAt = new Date().toISOString();
  const entries = keys.map(({ account, id, secret }) => {
    const sha256 = secretDigest(secret).toString('hex');
    return { id, name: account, account, scopes: [...SCOPES], plan: 'unlimited', sha256, createdAt };
  });
  writeFileSync(file, writeKeyFile({ ...EMPTY_KEY_FILE, keys: entries }), { mode: 0o600 });
  // The test sends invalid keys, so failed authentications must not be rate limited.
  const gateway = { environment: { API_KEYS_FILE: file, RATE_LIMIT_FAILED_KEYS: 'unlimited' } };
  process.stderr.write('starting a system, which takes about a minute\n');
  try {
    const system = await startSystem({ dir: folder.dir, apps: { gateway }, shortLived: true, signal });
    const stop = async () => {
      await system.stop();
      folder.remove();
    };
    return { url: system.urls.gateway, keys: keys.map(({ text }) => text), stop };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** Creates an offset and an estimate, and finds a pool. @throws CannotRunError if a response is an error; a 503 is retried for a minute */
export async function findKnownIds({ url, keys: [key] }: Target, signal: AbortSignal): Promise<KnownIds> {
  const deadline = Date.now() + WARM_UP_MS;
  const send = async (path: string, body?: object): Promise<string> => {
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const { headers, signal: timeout } = requestInit(key);
    const response = await fetch(`${url}${path}`, { headers, ...post, signal: AbortSignal.any([signal, timeout]) });
    const answer = await response.text();
    if (response.status === 503 && Date.now() < deadline) {
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000, undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
      return await send(path, body);
    }
    if (!response.ok) throw new CannotRunError(`${url}${path} responded with ${response.status}: ${answer}`, 75);
    return answer;
  };
  const find = (answer: string, id: RegExp) => id.exec(answer)?.[0] ?? '';
  for (const path of ['schema', 'projects?criteria=&fullTextSearch=forest']) await send(`/v1/assets/${path}`);
  const pool = await send('/v1/assets/pools?criteria=active%3Atrue&fullTextSearch=&fields=id&limit=1');
  return {
    offset: find(await send('/v1/offsets', { kgCO2e: 12.5, customerRef: 'schemathesis' }), /off_[0-9a-z]{26}/),
    estimate: find(await send('/v1/estimates', { kgCO2e: 12.5 }), /est_[0-9a-z]{26}/),
    asset: find(pool, /pool_[a-z0-9_-]+/),
  };
}

function requestInit(key?: string) {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  return { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) };
}

async function statusOf(url: string, key?: string): Promise<number | undefined> {
  try {
    const response = await fetch(url, requestInit(key));
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
