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

export type EstimateView = z.output<typeof estimateView>;
export type OffsetView = z.output<typeof offsetView>;
export type RetirementView = z.output<typeof retirementView>;
export type QueuedOffsetView = z.output<typeof queuedOffsetView>;
