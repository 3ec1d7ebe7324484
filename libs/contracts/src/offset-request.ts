import { hash } from 'node:crypto';

/** The members of an offset request that decide whether two requests with one idempotency key are equal. */
export interface OffsetRequest {
  readonly kgCO2e: number;
  readonly estimateId?: string | undefined;
  readonly customerRef?: string | undefined;
}

/**
 * Returns the SHA-256 (hex) of the request's RFC 8785 JSON without absent members. The members are in canonical order here,
 * so `JSON.stringify` gives the same text as a canonicalizer, faster.
 */
export function fingerprint({ kgCO2e, estimateId, customerRef }: OffsetRequest): string {
  return hash('sha256', JSON.stringify({ customerRef, estimateId, kgCO2e }), 'hex');
}
