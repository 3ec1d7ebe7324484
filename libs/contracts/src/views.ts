import { z } from 'zod';
import { FAILURE_CODES } from './events.js';

/** The states of an offset. `completed` and `failed` are final. */
export const OFFSET_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
/** A state of {@link OFFSET_STATUSES}. */
export type OffsetStatus = (typeof OFFSET_STATUSES)[number];

/** Returns the body of the response to `POST /v1/offsets`. */
export function acceptedMessage(id: string): AcceptedView {
  return { message: `Offset event with ID: ${id} queued for processing.` };
}

const time = z.iso.datetime({ precision: 3 });
const asset = z.string().meta({ description: 'The id of the asset.' });
const credits = z.number().meta({ description: 'Credits, that is tonnes of CO2-equivalent, to the gram.' });
const price = z.number().meta({ description: 'US dollars per credit.' });
const vintages = z.array(z.int32()).optional().meta({
  description: "The asset's vintages, as last published: the years in which the removal or avoidance took place.",
});
const kgCO2e = z.number().meta({ description: 'The weight in kilograms of CO2-equivalent, as it was sent.' });
const needed = credits.meta({ description: 'Tonnes of CO2-equivalent: `kgCO2e` / 1000, rounded up to the gram.' });
const currency = z.literal('USD').meta({ description: 'The currency of every price and cost.' });

/** The body of the response to `POST /v1/offsets`. */
export const acceptedView = z.strictObject({
  message: z.string().meta({
    description: 'Contains the id of the queued offset. The `Location` header has its URL.',
  }),
});

/** The credits of one asset, retired for an offset or offered by an estimate. Decimal credits and US dollars. */
export const retirementView = z.strictObject({
  asset,
  ticker: z.string().optional().meta({ description: 'The ticker of the asset, if it has one.' }),
  address: z.string().optional().meta({ description: "The address of the asset's token, if it has one." }),
  vintages,
  credits,
  price,
  cost: z.number().meta({ description: 'US dollars for these credits.' }),
});

/** Why an offset failed. */
export const failureView = z.strictObject({
  code: z
    .string()
    .meta({ description: 'The reason, for programs; new codes may be added.', examples: [...FAILURE_CODES] }),
  detail: z.string().meta({ description: 'The reason, as a sentence for people.' }),
});

/** A recorded offset for clients. Members without a value are omitted, never null. */
export const offsetView = z.strictObject({
  id: z.string().meta({ description: 'The id, as in the message on creation.' }),
  status: z.enum(OFFSET_STATUSES).meta({
    description:
      '`queued`, then `processing`, then `completed` or `failed`, which are final. An offset may pass through the first two unseen.',
  }),
  kgCO2e,
  credits: needed,
  creditsMatched: credits.meta({
    description: 'The credits retired: 0 until the offset is `completed`, then the same as `credits`.',
  }),
  retirements: z.array(retirementView).meta({ description: 'The retired credits of each asset.' }),
  cost: z.number().optional().meta({ description: 'The total in US dollars, from `processing` on.' }),
  currency: currency.optional(),
  estimateId: z.string().optional().meta({ description: 'As it was sent.' }),
  customerRef: z.string().optional().meta({ description: 'As it was sent.' }),
  failure: failureView.optional(),
  createdAt: time.meta({
    description:
      'When the offset was accepted: when Kafka stored the request or when the request was recorded, whichever is earlier.',
  }),
  updatedAt: time.meta({ description: 'When its record last changed.' }),
  completedAt: time.optional().meta({ description: 'When the credits were retired.' }),
  failedAt: time.optional().meta({ description: 'When it failed.' }),
});

/** An accepted offset that is not recorded yet. Older gateways add `createdAt`, from the id. */
export const queuedOffsetView = z.strictObject({
  id: z.string().meta({ description: 'The id, as in the message on creation.' }),
  status: z.literal('queued'),
  createdAt: time.optional().meta({ description: 'No longer sent: only the record has it.', deprecated: true }),
});

/** A price held for one offset; no credits are reserved. */
export const estimateView = z.strictObject({
  id: z.string().meta({ description: 'The value for `estimateId` of an offset.' }),
  kgCO2e,
  credits: needed,
  cost: z.number().meta({ description: 'The total in US dollars.' }),
  currency,
  allocations: z.array(retirementView).meta({ description: 'The credits of each asset that would be retired.' }),
  createdAt: time,
  expiresAt: time.meta({ description: 'When the price expires.' }),
  usedBy: z.string().optional().meta({
    description:
      'The id of the offset that uses the estimate: `processing` or `completed`. No other offset can use the estimate then.',
  }),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** One entry of the retirement ledger. Decimal credits and US dollars per credit; hashes as 64 hexadecimal digits. */
export const receiptEntryView = z.strictObject({
  asset,
  vintages,
  sequence: z.int().positive().meta({ description: "The number of the entry in the asset's ledger, from 1." }),
  credits,
  price,
  at: time.meta({ description: 'When the credits were retired.' }),
  previousHash: sha256.meta({ description: "The hash of the entry before it in the asset's ledger." }),
  hash: sha256.meta({ description: 'SHA-256 over the entry and `previousHash`.' }),
  reference: z.string().optional().meta({ description: 'The reference of the external registry, if one is used.' }),
});

/** The ledger entries of one offset; none until it is completed. */
export const retirementReceiptView = z.strictObject({
  offset: z.string().meta({ description: 'The id of the offset.' }),
  status: z.enum(OFFSET_STATUSES).meta({
    description:
      'The status of the offset. A `failed` one never has entries; a `queued` or `processing` one has none yet.',
  }),
  entries: z.array(receiptEntryView).meta({ description: 'One for each asset; none until the offset is completed.' }),
});

export type AcceptedView = z.output<typeof acceptedView>;
export type EstimateView = z.output<typeof estimateView>;
export type OffsetView = z.output<typeof offsetView>;
export type RetirementView = z.output<typeof retirementView>;
export type QueuedOffsetView = z.output<typeof queuedOffsetView>;
export type ReceiptEntryView = z.output<typeof receiptEntryView>;
export type RetirementReceiptView = z.output<typeof retirementReceiptView>;
