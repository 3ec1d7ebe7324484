import { z } from 'zod';

/** The states of an offset. Nothing leaves `completed` or `failed`. */
export const OFFSET_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
/** A state of {@link OFFSET_STATUSES}. */
export type OffsetStatus = (typeof OFFSET_STATUSES)[number];

/** The body of the answer to `POST /v1/offsets`, word for word. */
export function acceptedMessage(id: string): { message: string } {
  return { message: `Offset event with ID: ${id} queued for processing.` };
}

const time = z.iso.datetime({ precision: 3 });

/** One line of a completed offset: what was retired from which asset at which price. Decimal credits and US dollars. */
export const retirementView = z.strictObject({
  asset: z.string(),
  ticker: z.string().optional(),
  address: z.string().optional(),
  credits: z.number(),
  price: z.number(),
  cost: z.number(),
});

/** A recorded offset as clients see it. Absent is left out, never null. */
export const offsetView = z.strictObject({
  id: z.string(),
  status: z.enum(OFFSET_STATUSES),
  kgCO2e: z.number(),
  credits: z.number(),
  creditsMatched: z.number(),
  retirements: z.array(retirementView),
  cost: z.number().optional(),
  currency: z.literal('USD').optional(),
  estimateId: z.string().optional(),
  customerRef: z.string().optional(),
  failure: z.strictObject({ code: z.string(), detail: z.string() }).optional(),
  createdAt: time,
  updatedAt: time,
  completedAt: time.optional(),
  failedAt: time.optional(),
});

/** An offset that was accepted and is not recorded yet. `createdAt` only where the id holds the time. */
export const queuedOffsetView = z.strictObject({
  id: z.string(),
  status: z.literal('queued'),
  createdAt: time.optional(),
});

/** A price held for one offset, as clients see it. */
export const estimateView = z.strictObject({
  id: z.string(),
  kgCO2e: z.number(),
  credits: z.number(),
  cost: z.number(),
  currency: z.literal('USD'),
  allocations: z.array(retirementView),
  createdAt: time,
  expiresAt: time,
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** One entry of the retirement ledger. Decimal credits and US dollars a credit; hashes as 64 hexadecimal digits. */
export const receiptEntryView = z.strictObject({
  asset: z.string(),
  sequence: z.int().positive(),
  credits: z.number(),
  price: z.number(),
  at: time,
  previousHash: sha256,
  hash: sha256,
  reference: z.string().optional(),
});

/** What the ledger holds of one offset; no entries until it is completed. */
export const retirementReceiptView = z.strictObject({ offset: z.string(), entries: z.array(receiptEntryView) });

export type EstimateView = z.output<typeof estimateView>;
export type OffsetView = z.output<typeof offsetView>;
export type RetirementView = z.output<typeof retirementView>;
export type QueuedOffsetView = z.output<typeof queuedOffsetView>;
export type ReceiptEntryView = z.output<typeof receiptEntryView>;
export type RetirementReceiptView = z.output<typeof retirementReceiptView>;
