export * from './key-entry.js';
export * from './key-file.js';
export * from './key-ring.js';
export * from './key-text.js';
export * from './plan.js';
export * from './scope.js';
export * from './without-secrets.js';
