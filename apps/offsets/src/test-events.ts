import { randomBytes } from 'node:crypto';
import { type Asset, fingerprint, gramsFromKg, Ids, type OffsetRequestedV1, type OffsetWish } from '@carbon/contracts';

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
