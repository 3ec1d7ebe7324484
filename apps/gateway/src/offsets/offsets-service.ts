import { Upstream } from '../upstream/upstream.js';

/** The app that knows the recorded offsets, for everything but look-ups by id. */
export class OffsetsService extends Upstream {
  constructor(url: string, timeoutMs: number) {
    super({ name: 'offsets service', url, timeoutMs });
  }
}

/** As many as may wait at a time for an offset that is being recorded, each for up to 1 s. */
const LOOKUPS = 1_000;

/**
 * The same app for look-ups by id, which may take it a second each: with connections and a breaker of their own, so that
 * those who wait for their offset never keep the lists from being asked.
 */
export class OffsetLookups extends Upstream {
  constructor(url: string, timeoutMs: number) {
    super({ name: 'offsets service', url, timeoutMs, connections: LOOKUPS });
  }
}
