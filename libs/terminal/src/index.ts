export * from './arguments.js';
export * from './context.js';
export * from './errors.js';
export * from './program.js';
export * from './progress-reporter.js';
export * from './table.js';
export * from './terminal-output.js';
export * from './text.js';
