import { plainText } from '@carbon/contracts';
import { z } from 'zod';

/** The largest weight one offset takes: a thousand million tonnes, in kilograms. */
export const MOST_KG = 1e12;

/** An estimate or customer as the client calls it: any text, kept as it is. */
const reference = plainText(1, 256);

/** The body of `POST /v1/offsets`. Nothing is coerced, null is not absent, and nothing else may be in it. */
export const offsetWish = z.strictObject({
  kgCO2e: z
    .number()
    .gt(0, { error: 'must be greater than 0' })
    .max(MOST_KG, { error: `must be at most ${MOST_KG} kilograms` }),
  estimateId: reference.optional(),
  customerRef: reference.optional(),
});
