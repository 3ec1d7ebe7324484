export * from './output.js';
export * from './progress.js';
