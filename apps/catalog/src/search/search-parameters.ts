import { codePoints } from '@carbon/contracts';
import { optional, type Parameters, readParameters, required, wholeNumber } from '@carbon/faults';
import { z } from 'zod';
import { LONGEST_FULL_TEXT } from './full-text/terms.js';

const fullTextSearch = z.string().refine((text) => codePoints(text) <= LONGEST_FULL_TEXT, {
  error: `must be at most ${LONGEST_FULL_TEXT} characters`,
});

const SPEC = {
  criteria: required(z.string(), { mayBeEmpty: true }),
  fullTextSearch: required(fullTextSearch, { mayBeEmpty: true }),
  limit: optional(wholeNumber(1, 100)),
  cursor: optional(z.string()),
};

/** What a client asks for. */
export type SearchParameters = Parameters<typeof SPEC>;

/** Reads the query of a search's URL. @throws UserFault invalid_request with every mistake */
export function searchParameters(rawUrl: string): SearchParameters {
  return readParameters(rawUrl, SPEC);
}
