export { startTestEngines as default } from '../dist/jest/test-run.js';
