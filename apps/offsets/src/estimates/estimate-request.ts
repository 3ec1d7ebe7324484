import { estimateIdSchema, plainText } from '@carbon/contracts';
import { z } from 'zod';

/** The largest weight, in kilograms; the gateway refuses more. */
const MOST_KG = 1e12;
const time = z.iso
  .datetime({ precision: 3, error: 'must be a time in UTC with milliseconds (RFC 3339)' })
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() > 0, { error: 'must be later than 1970' });

/** What the gateway asks: the id and the times are its own, the weight and the asset its client's. */
export const estimateRequest = z
  .strictObject({
    id: estimateIdSchema,
    kgCO2e: z.number().positive().max(MOST_KG),
    asset: plainText(1, 256).optional(),
    createdAt: time,
    expiresAt: time,
  })
  .refine(({ createdAt, expiresAt }) => !(createdAt >= expiresAt), {
    path: ['expiresAt'],
    error: 'must be later than createdAt',
  });

/** A wish for an estimate, under an id that is not to be used twice. */
export type EstimateRequest = z.output<typeof estimateRequest>;
