import { z } from 'zod';
import { FAILURE_CODES } from './events.js';

/** The states of an offset. Nothing leaves `completed` or `failed`. */
export const OFFSET_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
/** A state of {@link OFFSET_STATUSES}. */
export type OffsetStatus = (typeof OFFSET_STATUSES)[number];

/** What the answer to `POST /v1/offsets` says, word for word. */
export function acceptedMessage(id: string): AcceptedView {
  return { message: `Offset event with ID: ${id} queued for processing.` };
}

const time = z.iso.datetime({ precision: 3 });
const asset = z.string().meta({ description: 'The id of the asset.' });
const credits = z.number().meta({ description: 'Credits, that is tonnes of CO2-equivalent, to the gram.' });
const price = z.number().meta({ description: 'US dollars per credit.' });
const kgCO2e = z.number().meta({ description: 'The weight in kilograms of CO2-equivalent, as it was sent.' });
const needed = credits.meta({ description: 'Tonnes of CO2-equivalent: `kgCO2e` / 1000, rounded up to the gram.' });
const currency = z.literal('USD').meta({ description: 'Of every price and cost.' });

/** The body of the answer to `POST /v1/offsets`, word for word. */
export const acceptedView = z.strictObject({
  message: z.string().meta({
    description: 'Says that the offset is queued, and holds its id. `Location` tells where it can be read.',
  }),
});

/** One line of a completed offset: what was retired from which asset at which price. Decimal credits and US dollars. */
export const retirementView = z.strictObject({
  asset,
  ticker: z.string().optional().meta({ description: 'Its short symbol, where it has one.' }),
  address: z.string().optional().meta({ description: 'The address of its token, where it has one.' }),
  credits,
  price,
  cost: z.number().meta({ description: 'US dollars for these credits.' }),
});

/** Why an offset failed. */
export const failureView = z.strictObject({
  code: z.string().meta({ description: 'Why; there may be new ones.', examples: [...FAILURE_CODES] }),
  detail: z.string().meta({ description: 'The same for people.' }),
});

/** A recorded offset as clients see it. Absent is left out, never null. */
export const offsetView = z.strictObject({
  id: z.string().meta({ description: 'The id, as the message on creation has it.' }),
  status: z.enum(OFFSET_STATUSES).meta({
    description: '`queued`, then `processing`, then `completed` or `failed`; nothing leaves those two.',
  }),
  kgCO2e,
  credits: needed,
  creditsMatched: credits.meta({ description: 'How much of `credits` is retired so far.' }),
  retirements: z.array(retirementView).meta({ description: 'What was retired, a line for each asset.' }),
  cost: z.number().optional().meta({ description: 'US dollars for all of it; from `processing` on.' }),
  currency: currency.optional(),
  estimateId: z.string().optional().meta({ description: 'As it was sent.' }),
  customerRef: z.string().optional().meta({ description: 'As it was sent.' }),
  failure: failureView.optional(),
  createdAt: time.meta({
    description: 'When it was accepted: when Kafka took it, or when it was recorded if that is earlier.',
  }),
  updatedAt: time.meta({ description: 'When its record last changed.' }),
  completedAt: time.optional().meta({ description: 'When the last gram was retired.' }),
  failedAt: time.optional().meta({ description: 'When it was given up.' }),
});

/** An offset that was accepted and is not recorded yet. Gateways of an older version tell `createdAt`, from the id. */
export const queuedOffsetView = z.strictObject({
  id: z.string().meta({ description: 'The id, as the message on creation has it.' }),
  status: z.literal('queued'),
  createdAt: time.optional().meta({ description: 'Not told any more: the record alone has it.', deprecated: true }),
});

/** A price held for one offset, as clients see it. */
export const estimateView = z.strictObject({
  id: z.string().meta({ description: 'What `estimateId` of an offset names.' }),
  kgCO2e,
  credits: needed,
  cost: z.number().meta({ description: 'US dollars for all of it.' }),
  currency,
  allocations: z.array(retirementView).meta({ description: 'What would be retired, a line for each asset.' }),
  createdAt: time,
  expiresAt: time.meta({ description: 'Until when an offset may be created at this price.' }),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** One entry of the retirement ledger. Decimal credits and US dollars a credit; hashes as 64 hexadecimal digits. */
export const receiptEntryView = z.strictObject({
  asset,
  sequence: z.int().positive().meta({ description: "The number of the entry in the asset's ledger, from 1." }),
  credits,
  price,
  at: time.meta({ description: 'When it was retired.' }),
  previousHash: sha256.meta({ description: "The hash of the entry before it in the asset's ledger." }),
  hash: sha256.meta({ description: 'SHA-256 over the entry and `previousHash`.' }),
  reference: z.string().optional().meta({ description: 'What the registry calls it, where a registry was asked.' }),
});

/** What the ledger holds of one offset; no entries until it is completed. */
export const retirementReceiptView = z.strictObject({
  offset: z.string().meta({ description: 'The id of the offset.' }),
  entries: z.array(receiptEntryView).meta({ description: 'One for each asset; none until the offset is completed.' }),
});

export type AcceptedView = z.output<typeof acceptedView>;
export type EstimateView = z.output<typeof estimateView>;
export type OffsetView = z.output<typeof offsetView>;
export type RetirementView = z.output<typeof retirementView>;
export type QueuedOffsetView = z.output<typeof queuedOffsetView>;
export type ReceiptEntryView = z.output<typeof receiptEntryView>;
export type RetirementReceiptView = z.output<typeof retirementReceiptView>;
