export * from './cursors.js';
export * from './next-link.js';
