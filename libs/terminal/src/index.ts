export * from './output.js';
export * from './screen.js';
