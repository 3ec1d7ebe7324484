import { randomBytes } from 'node:crypto';
import { type Asset, fingerprint, gramsFromKg, Ids, type OffsetRequestedV1, type OffsetWish } from '@carbon/contracts';
import type { Received } from '@carbon/messaging';

const ACCOUNT = 'default';
const secret = () => randomBytes(32).toString('base64url');

/** Mints ids like the gateway's. */
export const ids = new Ids({ ids: [secret()], idempotency: [secret()] });

/** A request as the gateway would publish it. */
export function request(wish: OffsetWish, more: Partial<OffsetRequestedV1> = {}): OffsetRequestedV1 {
  const account = more.account ?? ACCOUNT;
  return {
    id: ids.mint('off', account),
    account,
    ...wish,
    grams: String(gramsFromKg(wish.kgCO2e)),
    createdAt: new Date().toISOString(),
    fingerprint: fingerprint(wish),
    ...more,
  };
}

/** A pool that can be retired from; `issued` in credits, `price` in dollars. */
export function pool(name: string, facts: Partial<Asset> = {}): Asset {
  const id = `pool_${name}`;
  return { id, type: 'POOL', source: 'TEST', name, active: true, price: 10, issued: 1_000, ...facts };
}

/** A message as a handler gets it; appended by the broker just now, unless told. */
export function received<T>(position: bigint, key: string, value: T | null, timestamp = new Date()): Received<T> {
  const traceparent = `00-${'0'.repeat(31)}1-${'0'.repeat(15)}1-01`;
  return {
    key,
    value,
    type: '',
    position,
    timestamp,
    headers: {},
    context: { requestId: 'r', traceId: `${'0'.repeat(31)}1`, traceparent },
    raw: { key: Buffer.from(key), value: null, timestamp: '0', attributes: 0, offset: String(position), headers: {} },
  };
}
