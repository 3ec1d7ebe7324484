import { z } from 'zod';
import { ESTIMATE_ID_FORM, OFFSET_ID_FORM } from './ids.js';
import { plainText } from './text.js';

/** Accounts own keys and offsets. */
export const accountSchema = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z 0-9 _ -');

/** Text that has the form of an offset id. */
export const offsetIdSchema = z.string().regex(OFFSET_ID_FORM, 'must be an offset id');

/** Text that has the form of an estimate id. */
export const estimateIdSchema = z.string().regex(ESTIMATE_ID_FORM, 'must be an estimate id');

/** A whole number as decimal text: JSON numbers end at 2^53, grams and micros do not. */
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,38})$/, 'must be a whole number as decimal text');
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
/** PostgreSQL knows no year 0, and would refuse the row (https://www.postgresql.org/docs/18/datatype-datetime.html). */
const time = z.iso
  .datetime({ precision: 3 })
  .refine((text) => !text.startsWith('0000'), 'must be of the years 0001-9999');
const reference = plainText(1, 256);

const wish = {
  id: offsetIdSchema,
  account: accountSchema,
  kgCO2e: z.number().positive().max(1e12),
  estimateId: reference.optional(),
  customerRef: reference.optional(),
  createdAt: time,
};

/** The one wish among the events: a client asked for an offset. Written by the gateway before it answers 202. */
export const offsetRequestedV1 = z.object({ ...wish, grams: decimal, fingerprint: hash });

const retirement = z.object({
  asset: z.string(),
  grams: decimal,
  priceMicros: decimal,
  costMicros: decimal,
  sequence: decimal,
  hash,
});

/** Every gram of the offset is retired; `hash` and `sequence` are those of the ledger entries. */
export const offsetCompletedV1 = z.object({
  ...wish,
  grams: decimal,
  costMicros: decimal,
  currency: z.literal('USD'),
  retirements: z.array(retirement),
  completedAt: time,
});

/** Why an offset failed. New codes may be added: readers must bear unknown ones. */
export const FAILURE_CODES = [
  'insufficient_supply',
  'estimate_not_found',
  'estimate_expired',
  'estimate_mismatch',
  'estimate_used',
  'registry_refused',
  'request_rejected',
] as const;
/** A code of {@link FAILURE_CODES}. */
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Nothing was retired for this offset, and nothing will be. `kgCO2e` is 0 where the request's could not be read. */
export const offsetFailedV1 = z.object({
  ...wish,
  kgCO2e: z.number().min(0).max(1e12),
  code: z.string(),
  detail: z.string(),
  failedAt: time,
});

export type OffsetRequestedV1 = z.output<typeof offsetRequestedV1>;
export type OffsetCompletedV1 = z.output<typeof offsetCompletedV1>;
export type OffsetFailedV1 = z.output<typeof offsetFailedV1>;
