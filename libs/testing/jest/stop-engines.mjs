export { stopTestEngines as default } from '../dist/test-run.js';
