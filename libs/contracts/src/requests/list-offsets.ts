import { z } from 'zod';
import { plainText } from '../text.js';
import { OFFSET_STATUSES } from '../views.js';
import { instant } from './instant.js';
import { cursorParameter, limitParameter } from './page-parameters.js';
import { optional } from './parameter.js';

/** How many offsets a page of the list holds unless something is said. */
export const OFFSETS_PER_PAGE = 20;

const STATUS = `must be one of ${OFFSET_STATUSES.join(', ')}`;
const reference = plainText(1, 256);

/** What an offset must be to be listed: all that are given must hold. */
export const OFFSET_FILTERS = {
  status: optional(
    z.enum(OFFSET_STATUSES, { error: STATUS }).meta({ description: 'Only offsets that are in this state now.' }),
  ),
  customerRef: optional(reference.meta({ description: 'Only offsets created with exactly this `customerRef`.' })),
  estimateId: optional(reference.meta({ description: 'Only offsets created with exactly this `estimateId`.' })),
  createdFrom: optional(
    instant.meta({ format: 'date-time', description: 'Only offsets created at this time or later (RFC 3339).' }),
  ),
  createdTo: optional(
    instant.meta({
      format: 'date-time',
      description: 'Only offsets created before this time (RFC 3339), which must be later than `createdFrom`.',
    }),
  ),
};

/** The parameters of `GET /v1/offsets` without `id`. */
export const LIST_PARAMETERS = {
  ...OFFSET_FILTERS,
  limit: optional(limitParameter(OFFSETS_PER_PAGE)),
  cursor: optional(cursorParameter),
};
