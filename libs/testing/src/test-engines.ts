import { testSettings } from './test-settings.js';

/** Where the engines of this test run answer. */
export interface TestEngines {
  /** `host:port`, separated by commas. */
  readonly kafkaBrokers: string;
  readonly opensearchUrl: string;
  /** A role that may create databases. Tests take a database of their own from `freshDatabase()`. */
  readonly databaseUrl: string;
}

/** The engines of this run. Throws where jest was not told to start any: `unit` tests have none. */
export function testEngines(): TestEngines {
  const { KAFKA_BROKERS, OPENSEARCH_URL, DATABASE_URL } = testSettings();
  if (KAFKA_BROKERS === undefined || OPENSEARCH_URL === undefined || DATABASE_URL === undefined) {
    throw new Error(
      'no engines here: name the file *.int.spec.ts, *.e2e.spec.ts or *.slow.spec.ts, and run it through jest.config.mjs',
    );
  }
  return { kafkaBrokers: KAFKA_BROKERS, opensearchUrl: OPENSEARCH_URL, databaseUrl: DATABASE_URL };
}
