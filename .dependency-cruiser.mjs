/** The borders of the house; each comment prints when a border is broken. */
const app = '^apps/([^/]+)/src/';

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Files that import each other in a loop cannot be understood or tested one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-app-to-app',
      comment: 'Apps are deployed apart and share nothing but topics and HTTP questions.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-lib-to-app',
      comment: 'A lib serves every app, so it knows none.',
      severity: 'error',
      from: { path: '^(libs|infra|tools)/' },
      to: { path: '^apps/' },
    },
    {
      name: 'pure-stays-pure',
      comment: 'The domain, the contracts and the criteria language know no framework, engine or I/O.',
      severity: 'error',
      from: {
        path: '^(apps/offsets/src/domain|libs/contracts/src|libs/criteria/src)/',
        pathNot: '\\.int\\.spec\\.ts$',
      },
      to: {
        path: 'node_modules/(@nestjs|fastify|kafkajs|typeorm|pg|undici|pino|@opensearch-project|rxjs)(/|$)|^libs/(faults|config|observability|messaging|testing)/',
      },
    },
    {
      name: 'domain-knows-only-itself',
      comment:
        'Pure decisions take the state and the time and return the decision; the steps call them, never the reverse.',
      severity: 'error',
      from: { path: '^apps/offsets/src/domain/' },
      to: { path: '^apps/offsets/src/', pathNot: '^apps/offsets/src/domain/' },
    },
    {
      name: 'no-step-to-step',
      comment: 'Steps hand work on through the database and the topics, so each can be read, run and replaced alone.',
      severity: 'error',
      from: {
        path: `${app}(receive|allocate|retire|announce|supply|estimates|read|ingest|search)/`,
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: '^apps/[^/]+/src/(receive|allocate|retire|announce|supply|estimates|read|ingest|search)/',
        pathNot: '^apps/$1/src/$2/',
      },
    },
    {
      name: 'tests-stay-tests',
      comment: 'What runs in production does not import the test library or a spec.',
      severity: 'error',
      from: {
        path: '/src/',
        pathNot: ['\\.spec\\.ts$', '^libs/testing/', '^e2e/', '/fixtures?/', '/test-[^/]+\\.ts$'],
      },
      to: { path: '^libs/testing/|\\.spec\\.ts$' },
    },
    {
      name: 'nothing-unresolved',
      comment: 'Every import is declared in its own package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/|(^|/)engines/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'default'] },
  },
};
