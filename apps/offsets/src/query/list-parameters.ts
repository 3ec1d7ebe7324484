import { LIST_PARAMETERS, type OFFSET_FILTERS, OFFSETS_PER_PAGE } from '@carbon/contracts';
import { invalidRequest, type Parameters, readParameters } from '@carbon/http';

/** What an offset must be to be listed; all that are given must hold. Times as they were sent. */
export type Filters = Parameters<typeof OFFSET_FILTERS>;

/** What is asked of the list. */
export interface ListQuestion {
  readonly filters: Filters;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Reads the question out of a raw URL. @throws RequestError invalid_request with every mistake in it */
export function readListQuestion(rawUrl: string): ListQuestion {
  const { limit = OFFSETS_PER_PAGE, cursor, ...filters } = readParameters(rawUrl, LIST_PARAMETERS);
  const { createdFrom, createdTo } = filters;
  if (createdFrom !== undefined && createdTo !== undefined) requireInOrder(createdFrom, createdTo);
  return { filters, limit, cursor };
}

/** A range that can hold nothing is a mistake, and an empty list would hide it. */
function requireInOrder(createdFrom: string, createdTo: string): void {
  if (Date.parse(createdFrom.toUpperCase()) < Date.parse(createdTo.toUpperCase())) return;
  throw invalidRequest([{ field: 'createdTo', code: 'invalid_parameter', detail: 'must be later than createdFrom' }]);
}
