import { plainText } from '@carbon/contracts';
import { z } from 'zod';
import { weight } from '../../requests/weight.js';

/** An estimate or customer as the client calls it: any text, kept as it is. */
const reference = plainText(1, 256);

/** The body of `POST /v1/offsets`. Nothing is coerced, null is not absent, and nothing else may be in it. */
export const offsetWish = z.strictObject({
  kgCO2e: weight,
  estimateId: reference.optional().meta({
    description:
      'The id of an estimate, at whose prices the credits are to be retired. One that fits no estimate of yours makes the offset fail.',
  }),
  customerRef: reference
    .optional()
    .meta({ description: 'What you call the customer, a user identifier say; kept as it is.' }),
});
