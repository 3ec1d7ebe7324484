import { type AssetType, searchParametersOf } from '@carbon/contracts';
import { optional, type Parameters, readParameters } from '@carbon/faults';
import { fieldsParameter } from './fields-parameter.js';
import { sortParameter } from './sort-parameter.js';

/** The parameters that the API describes and no others; two of them are taken apart here. */
const specFor = (type: AssetType) => ({
  ...searchParametersOf(type),
  sort: optional(sortParameter(type)),
  fields: optional(fieldsParameter(type)),
});

const SPECS = { POOL: specFor('POOL'), PROJECT: specFor('PROJECT') } as const satisfies Record<AssetType, unknown>;

/** What a client asks for. */
export type SearchParameters = Parameters<ReturnType<typeof specFor>>;

/** Reads the query of a search's URL. @throws UserFault invalid_request with every mistake */
export function searchParameters(rawUrl: string, type: AssetType): SearchParameters {
  return readParameters(rawUrl, SPECS[type]);
}
