import type { OffsetRequest } from '@carbon/contracts';
import { checkBody, type ErrorItem, invalidRequest, readParameters } from '@carbon/http';
import type { FastifyRequest } from 'fastify';
import { gather } from '../../requests/gather.js';
import { idempotencyKey } from './idempotency-key.js';
import { offsetWish } from './offset-wish.js';

/** What a client asks for, and the key that makes asking twice the same as asking once. */
export interface CreateOffsetRequest {
  readonly wish: OffsetRequest;
  readonly key: string | undefined;
}

/** Reads `POST /v1/offsets`. Throws `invalid_request` with the mistakes of address, headers and body together. */
export function readCreateOffset({ raw, body }: Pick<FastifyRequest, 'raw' | 'body'>): CreateOffsetRequest {
  const items: ErrorItem[] = [];
  const address = raw.url ?? '';
  if (address.includes('?')) gather(items, () => readParameters(address, {}));
  const key = gather(items, () => idempotencyKey(raw));
  const wish = gather(items, () => checkBody(offsetWish, body));
  if (wish === undefined || items.length > 0) throw invalidRequest(items);
  return { wish, key };
}
