import { z } from 'zod';
import { ESTIMATE_ID_FORM, OFFSET_ID_FORM } from './ids.js';
import { MAX_KG } from './quantity.js';
import { plainText } from './text.js';

/** Accounts own keys and offsets. */
export const accountSchema = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'must be 1 to 64 of a-z 0-9 _ -');

/** Text in the form of an offset id. */
export const offsetIdSchema = z.string().regex(OFFSET_ID_FORM, 'must be an offset id');

/** Text in the form of an estimate id. */
export const estimateIdSchema = z.string().regex(ESTIMATE_ID_FORM, 'must be an estimate id');

/** An integer as decimal text: grams and micros may exceed 2^53. */
const decimal = z.string().regex(/^(0|[1-9][0-9]{0,38})$/, 'must be an integer as decimal text');
/** A SHA-256, lower-case hex. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
/** PostgreSQL has no year 0 (https://www.postgresql.org/docs/18/datatype-datetime.html). */
const time = z.iso
  .datetime({ precision: 3 })
  .refine((text) => !text.startsWith('0000'), 'must be in the years 0001-9999');
const reference = plainText(1, 256);

const request = {
  id: offsetIdSchema.describe('the offset'),
  account: accountSchema.describe('the account that owns it'),
  kgCO2e: z
    .number()
    .positive()
    .max(MAX_KG)
    .describe('emissions to offset, in kilograms of CO2-equivalent, as they were sent'),
  estimateId: reference.optional().describe('the estimate that the client named, as it was sent'),
  customerRef: reference.optional().describe("the client's own reference, as it was sent"),
  createdAt: time.describe('when Kafka appended the request, or when it was recorded if that is earlier'),
};
const grams = decimal.describe('the weight of credits: `kgCO2e` rounded up to the gram');

/** A client requested an offset. The gateway writes the event before it answers 202. */
export const offsetRequestedV1 = z.object({
  ...request,
  createdAt: time.describe("when its id was generated, by the gateway's clock; information only"),
  grams,
  fingerprint: hashSchema.describe('SHA-256 of the request as canonical JSON'),
});

const retirement = z.object({
  asset: z.string().describe('the id of the asset that the credits come from'),
  grams: decimal.describe('credits retired from it'),
  priceMicros: decimal.describe('price of a credit (a tonne)'),
  costMicros: decimal.describe('price of these grams, rounded half up'),
  sequence: decimal.describe("number of the entry in the asset's ledger"),
  hash: hashSchema.describe('hash of that entry'),
  previousHash: hashSchema.optional().describe("hash of the asset's entry before it, or SHA-256 of the asset's id"),
});

const fingerprint = hashSchema.optional().describe('that of the request');

/** Every gram of the offset is retired; `hash` and `sequence` are those of the ledger entries. */
export const offsetCompletedV1 = z.object({
  ...request,
  grams,
  costMicros: decimal.describe('sum of the lines'),
  currency: z.literal('USD').describe('of every price and cost'),
  retirements: z.array(retirement).describe('what was retired, a line for each asset'),
  completedAt: time.describe('when the credits were retired'),
  fingerprint,
  registryReference: plainText(1, 256).optional().describe("the external registry's reference of the retirement"),
});

/** Why an offset failed. New codes may be added: consumers must accept unknown ones. */
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
  ...request,
  kgCO2e: z.number().min(0).max(MAX_KG).describe("as in the request; 0 where the request's could not be read"),
  code: z
    .string()
    .meta({ description: 'the reason, for programs; new codes may be added', examples: [...FAILURE_CODES] }),
  detail: z.string().describe('the reason, for people'),
  failedAt: time.describe('when it failed'),
  fingerprint,
});

export type OffsetRequestedV1 = z.output<typeof offsetRequestedV1>;
export type OffsetCompletedV1 = z.output<typeof offsetCompletedV1>;
export type OffsetFailedV1 = z.output<typeof offsetFailedV1>;
