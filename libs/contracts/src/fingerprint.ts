import { hash } from 'node:crypto';

/** What a client asked for; everything that makes two requests under one idempotency key the same or not. */
export interface OffsetRequest {
  readonly kgCO2e: number;
  readonly estimateId?: string | undefined;
  readonly customerRef?: string | undefined;
}

/**
 * SHA-256 (hex) of the RFC 8785 JSON of the wish, absent members left out. It is written here in its canonical order:
 * `JSON.stringify` of one flat object of texts and a number does the rest, as the tests hold against a canonicalizer.
 */
export function fingerprint({ kgCO2e, estimateId, customerRef }: OffsetRequest): string {
  return hash('sha256', JSON.stringify({ customerRef, estimateId, kgCO2e }), 'hex');
}
