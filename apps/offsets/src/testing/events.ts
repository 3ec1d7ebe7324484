import { randomBytes } from 'node:crypto';
import {
  type Asset,
  fingerprint,
  gramsFromKg,
  Ids,
  type OffsetRequest,
  type OffsetRequestedV1,
} from '@carbon/contracts';
import type { KafkaHandle, Message as Received } from '@carbon/messaging';

const secret = () => randomBytes(32).toString('base64url');

/** Mints ids like the gateway's. */
export const ids = new Ids({ ids: [secret()], idempotency: [secret()] });

/** Returns a request as the gateway would publish it. */
export function request(body: OffsetRequest, more: Partial<OffsetRequestedV1> = {}): OffsetRequestedV1 {
  const account = more.account ?? 'default';
  return {
    id: ids.generate('off', account),
    account,
    ...body,
    grams: String(gramsFromKg(body.kgCO2e)),
    createdAt: new Date().toISOString(),
    fingerprint: fingerprint(body),
    ...more,
  };
}

/** Returns a request for another weight under the same id. */
export function conflicting(request: OffsetRequestedV1): OffsetRequestedV1 {
  return { ...request, kgCO2e: 9, grams: '9000', fingerprint: fingerprint({ kgCO2e: 9 }) };
}

/** Returns a retirable pool; `issued` in credits, `price` in dollars. */
export function pool(name: string, facts: Partial<Asset> = {}): Asset {
  const id = `pool_${name}`;
  return { id, type: 'POOL', source: 'TEST', name, active: true, price: 10, issued: 1_000, ...facts };
}

/** Returns retirable pools with this many credits each, the cheapest first. */
export function pools(count: number, issued: number, name = 'p'): Asset[] {
  return Array.from({ length: count }, (_, n) => pool(`${name}${n}`, { price: n + 1, issued }));
}

/** Returns a message as a handler gets it, by default appended by the broker just now. */
export function received<T>(position: bigint, key: string, value: T | null, timestamp = new Date()): Received<T> {
  const traceId = `${'0'.repeat(31)}1`;
  return {
    key,
    value,
    type: '',
    position,
    timestamp,
    headers: {},
    context: { requestId: 'r', traceId, traceparent: `00-${traceId}-${'0'.repeat(15)}1-01` },
    raw: { key: Buffer.from(key), value: null, timestamp: '0', attributes: 0, offset: String(position), headers: {} },
  };
}

/** A message as it is written to Kafka, with any content. */
export type Message = Parameters<ReturnType<KafkaHandle['client']['producer']>['send']>[0]['messages'][number];

/** Returns a request as a message of `offset.requested`. */
export function requestMessage(request: OffsetRequestedV1, more: Partial<Message> = {}): Message {
  const headers = { ce_id: request.id, ce_type: 'offset.requested.v1', ce_subject: request.id, 'x-request-id': 'r-1' };
  return { key: request.id, value: JSON.stringify(request), headers, ...more };
}
