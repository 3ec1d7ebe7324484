export { startTestEngines as default } from '../dist/test-run.js';
