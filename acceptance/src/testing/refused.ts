import type { Client } from './client.js';

/** A refused request, with the key for its retry. */
export interface Refused {
  readonly body: { readonly kgCO2e: number; readonly estimateId?: string };
  readonly code: string;
  readonly retryKey: string;
  readonly ms: number;
}

/** Posts an offset, which is refused. */
export async function refused(api: Client, body: Refused['body'], key?: string): Promise<Refused> {
  const began = performance.now();
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await api.requestOnce('/v1/offsets', { method: 'POST', body, headers });
  const ms = performance.now() - began;
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
  const { code, retryKey } = answer.body as Refused;
  expect(retryKey).toEqual(key ?? expect.stringMatching(/^off_[0-9a-z]{26}$/));
  return { body, code, retryKey, ms };
}

/** The best of several times, because the machine may stall. */
export const least = (all: readonly { ms: number }[]) => Math.min(...all.map(({ ms }) => ms));

/** A different request under the key of a refused one must be refused itself. */
export async function expectTaken(api: Client, { retryKey }: Refused): Promise<void> {
  const headers = { 'idempotency-key': retryKey };
  const answer = await api.requestOnce('/v1/offsets', { method: 'POST', body: { kgCO2e: 7_777 }, headers });
  expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
}
