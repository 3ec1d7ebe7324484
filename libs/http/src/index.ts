export {
  integer,
  optional,
  type Parameter,
  type ParameterSpec,
  type Parameters,
  required,
} from '@carbon/contracts';
export * from './active-requests.js';
export * from './body.js';
export { encodingOf } from './compression.js';
export * from './errors.js';
export * from './http-adapter.js';
export * from './json-reader.js';
export * from './json-response.js';
export * from './paging.js';
export * from './parameters.js';
export { isInternalError, PROBLEM_TYPE, type Problem, type ProblemResponse, problemOf } from './problem.js';
export { disconnectSignal, onDisconnect, sendNotModified } from './replies.js';
export { accountOf, headerValues, requestIdOf, singleHeader } from './request-headers.js';
export * from './server-options.js';
export * from './service-authenticator.js';
