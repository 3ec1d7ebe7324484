const project = (displayName, testRegex, more = {}) => ({
  displayName,
  testEnvironment: 'node',
  testRegex,
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.local/'],
  modulePathIgnorePatterns: ['/dist/', '/infra/local/engines/'],
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: ['reflect-metadata'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2022',
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  ...more,
});

const engines = {
  globalSetup: '<rootDir>/libs/testing/jest/start-engines.mjs',
  globalTeardown: '<rootDir>/libs/testing/jest/stop-engines.mjs',
};

export default {
  projects: [
    project('unit', ['(?<!\\.int|\\.e2e|\\.slow)\\.spec\\.ts$']),
    project('int', ['\\.int\\.spec\\.ts$'], engines),
    project('e2e', ['\\.e2e\\.spec\\.ts$'], engines),
    project('slow', ['\\.slow\\.spec\\.ts$'], engines),
  ],
  testSequencer: '<rootDir>/tools/repo/longest-first.mjs',
  reporters: [
    'default',
    ['<rootDir>/tools/repo/totals-reporter.mjs', { totals: '.local/test-totals', slowest: '.local/slowest-specs' }],
  ],
  // Only for a test that hangs: on a busy machine, one that waits for several events may take minutes.
  testTimeout: 240_000,
  // Twice the two cores of CI, because tests also wait for engines and timers.
  maxWorkers: 4,
};
