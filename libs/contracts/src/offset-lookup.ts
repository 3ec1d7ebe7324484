import { z } from 'zod';
import { accountSchema, hashSchema, offsetIdSchema } from './events.js';

/** The maximum number of offsets in one look-up: a body of 12 KB, less than any app's limit. */
export const MAX_LOOKUP_SIZE = 100;

const ownedOffset = { account: accountSchema, id: offsetIdSchema };

/**
 * The body of `POST /internal/fingerprints` and `POST /internal/offsets`, by which the gateway looks up many offsets in one request:
 * each id on behalf of an account.
 */
export const offsetLookup = z.strictObject({
  offsets: z.array(z.strictObject(ownedOffset)).min(1).max(MAX_LOOKUP_SIZE),
});

/** The response of `POST /internal/fingerprints`. Members may be added. */
export const recordedFingerprints = z.object({
  /** The offsets of the look-up that are recorded for their account. */
  recorded: z.array(z.object({ ...ownedOffset, fingerprint: hashSchema })).max(MAX_LOOKUP_SIZE),
  /** Whether the others are not recorded. If false, that is unknown: the database may be older than the published outcomes. */
  isComplete: z.boolean(),
});

/** The response of `POST /internal/offsets`. Members may be added. */
export const lookedUpViews = z.object({
  /**
   * The JSON text of each offset's view, in the order of the look-up, for the gateway to pass on. Null unless it is recorded for its
   * account and the view is known to be current.
   */
  views: z.array(z.string().nullable()).max(MAX_LOOKUP_SIZE),
});

/** An offset that is looked up. */
export type LookedUpOffset = z.output<typeof offsetLookup>['offsets'][number];

/** The fingerprints that a look-up found. */
export type RecordedFingerprints = z.output<typeof recordedFingerprints>;

/** The views that a look-up found. */
export type LookedUpViews = z.output<typeof lookedUpViews>;
