/** The import rules of the repository; the comment of a rule is printed when a file breaks it. */
const app = '^apps/([^/]+)/src/';
/** The reference evaluator of criteria, for tests; exported as `@carbon/criteria/golden`. */
const CRITERIA_TEST_AIDS = '^libs/criteria/(src|dist)/testing/';
/** Every folder of the gateway but those that the features share, and the pages outside the API. */
const GATEWAY_FEATURE = '(?!(?:api-docs|auth|console|limits|static-files|testing|upstream)/)[^/]+';
/** The exports `@carbon/offsets/cli` and `@carbon/catalog/cli`. */
const APP_COMMANDS = '^apps/[^/]+/(src|dist)/cli/';

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
      comment: 'Apps are deployed apart and share nothing but topics and HTTP requests.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-lib-to-app',
      comment: 'A lib serves every app, so it imports none.',
      severity: 'error',
      from: { path: '^(libs|infra|tools)/' },
      to: { path: '^apps/', pathNot: APP_COMMANDS },
    },
    {
      name: 'commands-of-apps-are-loaded-when-called',
      comment: 'The command line imports the commands of apps only where one of them is called.',
      severity: 'error',
      from: { path: '^(libs|infra|tools)/' },
      to: { path: APP_COMMANDS, dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'pure-stays-pure',
      comment: 'The domain, the contracts and the criteria language import no framework, engine or I/O.',
      severity: 'error',
      from: {
        path: '^(apps/offsets/src/domain|libs/contracts/src|libs/criteria/src)/',
        pathNot: '\\.int\\.spec\\.ts$',
      },
      to: {
        path: 'node_modules/(@nestjs|fastify|kafkajs|typeorm|pg|undici|pino|@opensearch-project|rxjs)(/|$)|^libs/(http|auth|config|observability|messaging|terminal|testing)/',
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
      comment:
        'Features pass work on through fulfillment, the database and the topics. Estimates are read as offsets are.',
      severity: 'error',
      from: {
        path: `${app}(receive|supply|estimates|query|ingest|search|schema)/`,
        pathNot: '\\.(spec|module)\\.ts$',
      },
      to: {
        path: '^apps/[^/]+/src/(receive|supply|estimates|query|ingest|search|schema)/',
        pathNot: '^apps/$1/src/($2|query)/',
      },
    },
    {
      name: 'fulfillment-knows-no-caller',
      comment: 'Fulfillment, the registry and the outbox serve every feature, so they import none.',
      severity: 'error',
      from: { path: '^apps/offsets/src/(fulfillment|registry|outbox)/', pathNot: '\\.(spec|module)\\.ts$|/testing/' },
      to: { path: '^apps/offsets/src/(receive|supply|estimates|query|recovery)/' },
    },
    {
      name: 'clients-read-only-their-own',
      comment:
        'Code that responds to clients reads through OwnRows, which requires an account. Creating an estimate is a write.',
      severity: 'error',
      from: {
        path: '^apps/offsets/src/(query|estimates)/',
        pathNot: ['\\.(spec|module)\\.ts$', '/test-[^/]+\\.ts$', '/testing/', '/estimate-(creator|pruner)\\.ts$'],
      },
      to: { path: '^apps/offsets/src/persistence/(database|data-source)\\.ts$|node_modules/(typeorm|pg)/' },
    },
    {
      name: 'indexing-knows-no-step',
      comment: 'The library index serves ingest, search and schema, so only its Nest module imports one of them.',
      severity: 'error',
      from: { path: '^apps/catalog/src/index/', pathNot: '\\.(spec|module)\\.ts$' },
      to: { path: '^apps/catalog/src/(ingest|search|schema)/' },
    },
    {
      name: 'no-feature-to-feature',
      comment:
        'Each feature of the API can be read alone. What several need is in auth, limits, upstream or requests.ts.',
      severity: 'error',
      from: { path: `^apps/gateway/src/(${GATEWAY_FEATURE})/` },
      to: { path: `^apps/gateway/src/${GATEWAY_FEATURE}/`, pathNot: '^apps/gateway/src/$1/' },
    },
    {
      name: 'tests-stay-tests',
      comment: 'Production code does not import the test library, a spec, or the test data of the criteria.',
      severity: 'error',
      from: {
        path: '/src/',
        pathNot: [
          '\\.spec\\.ts$',
          '^libs/testing/',
          '^e2e/',
          '^bench/src/console/',
          '/fixtures?/',
          '/test-[^/]+\\.ts$',
          '/testing/',
          CRITERIA_TEST_AIDS,
        ],
      },
      to: { path: ['^libs/testing/', '\\.spec\\.ts$', CRITERIA_TEST_AIDS] },
    },
    {
      name: 'client-stands-alone',
      comment: 'The client runs wherever fetch does, without dependencies and without modules of Node.',
      severity: 'error',
      from: { path: '^libs/client/src/', pathNot: '\\.spec\\.ts$|/test-[^/]+\\.ts$|/testing/' },
      to: { pathNot: '^libs/client/src/' },
    },
    {
      name: 'acceptance-stands-alone',
      comment: 'The acceptance tests import nothing of the product: they use HTTP, Kafka, SQL and commands.',
      severity: 'error',
      from: { path: '^acceptance/' },
      to: { path: '^(apps|libs|infra|tools|e2e|bench|chaos)/|node_modules/@carbon/' },
    },
    {
      name: 'nothing-unresolved',
      comment: 'Every import is declared in its own package.json, or a module that the build of the console makes.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
  ],
  options: {
    // An import of another package ends at its built entry point; the files of that package are checked on their own.
    doNotFollow: { path: 'node_modules|(^|/)dist/' },
    exclude: { path: '^infra/local/engines/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'default'] },
  },
};
