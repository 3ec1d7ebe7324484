export { type Described, DescribedApi, type Exchange, Schemas } from './described-api.js';
export { figureOf, type MetricFamily, readExposition, type Sample } from './exposition.js';
export { type FreshDatabase, freshDatabase, type Template } from './fresh-database.js';
export { freshPrefix } from './fresh-prefix.js';
export { eventually, PATIENT_PRODUCER, type Patience } from './patience.js';
export { CANARY, keepLogs, type LogStream, testLog } from './run-logs.js';
export { type Ran, type Run, runToEnd } from './run-to-end.js';
export { type TestEngines, testEngines } from './test-engines.js';
export { whereThereIsPgbouncer } from './where-there-is-pgbouncer.js';
