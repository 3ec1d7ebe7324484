export { stopTestEngines as default } from '../dist/jest/test-run.js';
