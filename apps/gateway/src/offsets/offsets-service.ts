import { Upstream, type UpstreamPlace } from '../upstream/upstream.js';
import type { UpstreamNumbers } from '../upstream/upstream-numbers.js';

/** The app that knows the recorded offsets, for everything but look-ups by id. */
export class OffsetsService extends Upstream {
  constructor(place: UpstreamPlace, numbers?: UpstreamNumbers) {
    super({ name: 'offsets service', ...place, numbers });
  }
}

/**
 * The same app for the one thing that a new offset would like to know of it: quickly or not at all, and with connections
 * and a breaker of their own, so that nothing else that is asked keeps offsets from being accepted, nor the reverse.
 */
export class OffsetFingerprints extends Upstream {
  constructor(place: UpstreamPlace & { readonly connections: number }, numbers?: UpstreamNumbers) {
    super({ name: 'offsets service', ...place, numbers });
  }
}

/** As many as may wait at a time for an offset that is being recorded, each for up to 1 s. */
const LOOKUPS = 1_000;

/**
 * The same app for look-ups by id, which may take it a second each: with connections and a breaker of their own, so that
 * those who wait for their offset never keep the lists from being asked.
 */
export class OffsetLookups extends Upstream {
  constructor(place: UpstreamPlace, numbers?: UpstreamNumbers) {
    super({ name: 'offsets service', ...place, connections: LOOKUPS, numbers });
  }
}
