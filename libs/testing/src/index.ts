export { describeWithPgbouncer } from './describe-with-pgbouncer.js';
export { type EventuallyOptions, eventually, SLOW_PRODUCER } from './eventually.js';
export { type MetricFamily, metricValue, readExposition, type Sample } from './exposition.js';
export { type FreshDatabase, freshDatabase } from './fresh-database.js';
export { type Exchange, type OpenApiDocument, OpenApiValidator, Schemas } from './openapi-validator.js';
export { type RunInProcess, runInProcess } from './run-in-process.js';
export { CANARY, keepLogs, testLog } from './run-logs.js';
export { type Ran, type Run, runToEnd } from './run-to-end.js';
export { freshPrefix, testEngines } from './test-engines.js';
