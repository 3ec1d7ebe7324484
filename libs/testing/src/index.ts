export { eventually, type Patience } from './eventually.js';
export { figureOf, type MetricFamily, readExposition, type Sample } from './exposition.js';
export { type FreshDatabase, freshDatabase, type Template } from './fresh-database.js';
export { freshPrefix } from './fresh-prefix.js';
export { type TestEngines, testEngines } from './test-engines.js';
