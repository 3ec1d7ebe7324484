import { z } from 'zod';
import { accountSchema, hashSchema, offsetIdSchema } from './events.js';

/** The maximum number of offsets in one look-up: a body of 12 KB, less than any app's limit. */
export const MAX_LOOKUP_SIZE = 100;

const ownedOffset = { account: accountSchema, id: offsetIdSchema };

/** The body of `POST /internal/fingerprints`, by which the gateway looks up recorded requests: each id on behalf of an account. */
export const fingerprintLookup = z.strictObject({
  offsets: z.array(z.strictObject(ownedOffset)).min(1).max(MAX_LOOKUP_SIZE),
});

/** Its response. Members may be added. */
export const recordedFingerprints = z.object({
  /** The offsets of the look-up that are recorded for their account. */
  recorded: z.array(z.object({ ...ownedOffset, fingerprint: hashSchema })).max(MAX_LOOKUP_SIZE),
  /** Whether the others are not recorded. If false, that is unknown: the database may be older than the published outcomes. */
  isComplete: z.boolean(),
});

/** An offset that is looked up. */
export type LookedUpOffset = z.output<typeof fingerprintLookup>['offsets'][number];

/** The response of the offsets service to a look-up. */
export type RecordedFingerprints = z.output<typeof recordedFingerprints>;
