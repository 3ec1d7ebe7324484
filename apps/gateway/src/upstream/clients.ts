import { UpstreamClient } from './upstream-client.js';

/** Calls the offsets service for lists and estimates. */
export class OffsetsClient extends UpstreamClient {}

/**
 * Calls the offsets service for receipts and for reads by id, each of which may wait a second for its row. A bulkhead:
 * connections and circuit breaker of its own, so that requests waiting for their offset never block the lists.
 */
export class OffsetLookupClient extends UpstreamClient {}

/**
 * Calls the offsets service for the fingerprints under idempotency keys, with a short timeout. A bulkhead as well: no other
 * call can delay the acceptance of an offset, nor the reverse.
 */
export class FingerprintClient extends UpstreamClient {}

/** Calls the catalog. */
export class CatalogClient extends UpstreamClient {}
