export * from './key-entry.js';
export * from './key-file.js';
export * from './key-format.js';
export * from './key-ring.js';
