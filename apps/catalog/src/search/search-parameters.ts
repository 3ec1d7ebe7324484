import { type AssetType, codePoints } from '@carbon/contracts';
import { optional, type Parameters, readParameters, required, wholeNumber } from '@carbon/faults';
import { z } from 'zod';
import { fieldsParameter } from './fields-parameter.js';
import { LONGEST_FULL_TEXT } from './full-text/terms.js';
import { sortParameter } from './sort-parameter.js';

const fullTextSearch = z.string().refine((text) => codePoints(text) <= LONGEST_FULL_TEXT, {
  error: `must be at most ${LONGEST_FULL_TEXT} characters`,
});

const specFor = (type: AssetType) => ({
  criteria: required(z.string(), { mayBeEmpty: true }),
  fullTextSearch: required(fullTextSearch, { mayBeEmpty: true }),
  sort: optional(sortParameter(type)),
  fields: optional(fieldsParameter(type)),
  limit: optional(wholeNumber(1, 100)),
  cursor: optional(z.string()),
});

const SPECS = { POOL: specFor('POOL'), PROJECT: specFor('PROJECT') } as const satisfies Record<AssetType, unknown>;

/** What a client asks for. */
export type SearchParameters = Parameters<ReturnType<typeof specFor>>;

/** Reads the query of a search's URL. @throws UserFault invalid_request with every mistake */
export function searchParameters(rawUrl: string, type: AssetType): SearchParameters {
  return readParameters(rawUrl, SPECS[type]);
}
