import type { AssetType } from '@carbon/contracts';
import { type FaultItem, type Problem, problemOf } from '@carbon/faults';
import { criteriaFilter } from './search/criteria-filter.js';
import { searchParameters } from './search/search-parameters.js';

type WithErrors = Problem & { readonly errors: readonly FaultItem[] };

/** The problem document that answers these criteria. */
export function criteriaProblem(type: AssetType, criteria: string): WithErrors {
  return problemFrom(() => criteriaFilter(criteria, type));
}

/** The problem document that answers a search at this address, as far as it is refused without asking OpenSearch. */
export function addressProblem(address: string): WithErrors {
  const type = address.startsWith('/v1/assets/pools?') ? 'POOL' : 'PROJECT';
  return problemFrom(() => criteriaFilter(searchParameters(address, type).criteria, type));
}

function problemFrom(run: () => unknown): WithErrors {
  try {
    run();
  } catch (error) {
    return JSON.parse(JSON.stringify(problemOf(error, 'request-id').body)) as WithErrors;
  }
  throw new Error('This is accepted.');
}
