import { hashOf } from './canonical-json.js';

/** What a client asked for; everything that makes two requests under one idempotency key the same or not. */
export interface OffsetWish {
  readonly kgCO2e: number;
  readonly estimateId?: string | undefined;
  readonly customerRef?: string | undefined;
}

/** SHA-256 (hex) of the RFC 8785 JSON of the wish, absent members left out. */
export function fingerprint({ kgCO2e, estimateId, customerRef }: OffsetWish): string {
  return hashOf({
    kgCO2e,
    ...(estimateId !== undefined && { estimateId }),
    ...(customerRef !== undefined && { customerRef }),
  });
}
