export { CarbonClient } from './carbon-client.js';
export { and, Criteria, not, or } from './criteria/criteria.js';
export { type Bounds, type PoolFields, type ProjectFields, where } from './criteria/field.js';
export { literal } from './criteria/literals.js';
export {
  CarbonError,
  type ErrorItem,
  NetworkError,
  ProblemError,
  TimedOutError,
  UnexpectedAnswerError,
} from './errors.js';
export type { components, operations, paths } from './generated/api.js';
export type { ResultField, SortableField } from './generated/asset-fields.js';
export * from './generated/problems.js';
export { Listing, type Page, type SearchPage } from './listing.js';
export type { CreateOptions, WaitOptions } from './offsets.js';
export type { CallOptions, ClientOptions } from './options.js';
export type { FacetFields, SearchQuery, SortKey } from './search.js';
export type * from './types.js';
