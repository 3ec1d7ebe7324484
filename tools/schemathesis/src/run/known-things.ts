import { setTimeout as sleep } from 'node:timers/promises';
import { CannotRun } from '../failures.js';
import type { Target } from '../target/target.js';

const ANSWERS_WITHIN_MS = 10_000;
/** A system that has just started answers its first searches slowly, some with 503; what comes later must not. */
const WARM_WITHIN_MS = 60_000;

/** Ids that the first caller may name: drawn at random nobody would ever hit one. */
export interface KnownThings {
  readonly offset: string;
  readonly estimate: string;
  readonly asset: string;
}

/** Has one of each made, or found. @throws CannotRun when the gateway does not play along */
export async function knownThings({ url, identities: [caller] }: Target): Promise<KnownThings> {
  const until = Date.now() + WARM_WITHIN_MS;
  const ask = async (path: string, body?: object): Promise<string> => {
    const headers = { 'content-type': 'application/json', ...(caller && { authorization: `Bearer ${caller.key}` }) };
    const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${url}${path}`, { headers, signal, ...post });
    const text = await answer.text();
    if (answer.status === 503 && Date.now() < until) {
      await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
      return await ask(path, body);
    }
    if (!answer.ok) throw new CannotRun(`${url}${path} answered ${answer.status}: ${text}`, 75);
    return text;
  };
  for (const path of ['schema', 'projects?criteria=&fullTextSearch=forest']) await ask(`/v1/assets/${path}`);
  const found = (text: string, form: RegExp) => form.exec(text)?.[0] ?? '';
  return {
    offset: found(await ask('/v1/offsets', { kgCO2e: 12.5, customerRef: 'schemathesis' }), /off_[0-9a-z]{26}/),
    estimate: found(await ask('/v1/estimates', { kgCO2e: 12.5 }), /est_[0-9a-z]{26}/),
    asset: found(
      await ask('/v1/assets/pools?criteria=active%3Atrue&fullTextSearch=&fields=id&limit=1'),
      /pool_[a-z0-9_-]+/,
    ),
  };
}
