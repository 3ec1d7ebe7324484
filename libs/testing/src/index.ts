export { eventually, type Patience } from './eventually.js';
export { type FreshDatabase, freshDatabase, type Template } from './fresh-database.js';
export { freshPrefix } from './fresh-prefix.js';
export { type TestEngines, testEngines } from './test-engines.js';
