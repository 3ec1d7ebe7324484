import { OFFSET_STATUSES, plainText } from '@carbon/contracts';
import { invalidRequest, optional, type Parameters, readParameters, wholeNumber } from '@carbon/faults';
import { z } from 'zod';
import { instant } from './instant.js';

const DEFAULT_LIMIT = 20;
const STATUS = `must be one of ${OFFSET_STATUSES.join(', ')}`;

const FILTERS = {
  status: optional(z.enum(OFFSET_STATUSES, { error: STATUS })),
  customerRef: optional(plainText(1, 256)),
  estimateId: optional(plainText(1, 256)),
  createdFrom: optional(instant),
  createdTo: optional(instant),
};

/** The parameters that the list takes. */
export const LIST_PARAMETERS = { ...FILTERS, limit: optional(wholeNumber(1, 100)), cursor: optional(z.string()) };

/** What an offset must be to be listed; all that are given must hold. Times as they were sent. */
export type Filters = Parameters<typeof FILTERS>;

/** What is asked of the list. */
export interface ListQuestion {
  readonly filters: Filters;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Reads the question out of a raw URL. @throws UserFault invalid_request with every mistake in it */
export function readListQuestion(rawUrl: string): ListQuestion {
  const { limit = DEFAULT_LIMIT, cursor, ...filters } = readParameters(rawUrl, LIST_PARAMETERS);
  const { createdFrom, createdTo } = filters;
  if (createdFrom !== undefined && createdTo !== undefined) requireInOrder(createdFrom, createdTo);
  return { filters, limit, cursor };
}

/** A range that can hold nothing is a mistake, and an empty list would hide it. */
function requireInOrder(createdFrom: string, createdTo: string): void {
  if (Date.parse(createdFrom.toUpperCase()) < Date.parse(createdTo.toUpperCase())) return;
  throw invalidRequest([{ field: 'createdTo', code: 'invalid_parameter', detail: 'must be later than createdFrom' }]);
}
