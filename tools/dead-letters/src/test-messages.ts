import { randomBytes } from 'node:crypto';
import { fingerprint, gramsFromKg, Ids, type OffsetWish } from '@carbon/contracts';
import type { Message } from 'kafkajs';

const secret = () => randomBytes(32).toString('base64url');
const ids = new Ids({ ids: [secret()], idempotency: [secret()] });

/** A request as the gateway would publish it. */
export function request(wish: OffsetWish = { kgCO2e: 1 }) {
  return {
    id: ids.mint('off', 'default'),
    account: 'default',
    ...wish,
    grams: String(gramsFromKg(wish.kgCO2e)),
    createdAt: new Date().toISOString(),
    fingerprint: fingerprint(wish),
  };
}

/** Anything as a message of `offset.requested`. */
export function requestMessage(id: string, value: unknown, headers: Message['headers'] = {}): Message {
  return {
    key: id,
    value: typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value),
    headers: { ce_id: id, ce_type: 'offset.requested.v1', 'x-request-id': 'r-1', ...headers },
  };
}

/** A version of an asset as a message. */
export function assetMessage(id: string, price: number, more: object = {}): Message {
  const asset = { id, type: 'POOL', source: 'TEST', name: id, active: true, price, issued: 10, ...more };
  return { key: id, value: JSON.stringify(asset), headers: { ce_type: 'asset.published.v1' } };
}
