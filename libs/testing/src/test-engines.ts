import { randomBytes } from 'node:crypto';
import { choice, loadConfig, setting } from '@carbon/config';
import { z } from 'zod';

const text = (description: string) => setting(z.string(), { description }).optional();

/** The engines that a test may use. */
export const engineSettings = z.object({
  KAFKA_BROKERS: text('The Kafka that tests use; one is started when it is not set.'),
  OPENSEARCH_URL: text('The OpenSearch that tests use; one is started when it is not set.'),
  DATABASE_URL: text('The PostgreSQL that tests use, as a role that may create databases; started when not set.'),
});

/** Which engines, and the name of the run (set by the run itself, for its workers). */
const schema = z.object({
  ...engineSettings.shape,
  TEST_ENGINES: choice(['own', 'running'], {
    description: 'Whether tests start engines of their own, or use those of the system that npm start runs.',
    fallback: 'own',
  }),
  TEST_LOGS: text('The folder that the logs of this run are kept in (set by the run itself, for its workers).'),
  TEST_RUN: text('The name of this test run; its databases, topics and indices begin with it.'),
});

/** The current settings of tests. */
export type TestSettings = z.output<typeof schema>;

/** Reads the settings of tests from the environment. */
export function testSettings(): TestSettings {
  return loadConfig(schema);
}

/** The addresses of the engines of this test run. */
export interface TestEngines {
  /** `host:port`, separated by commas. */
  readonly kafkaBrokers: string;
  readonly opensearchUrl: string;
  /** A role that may create databases. Tests get their own database from `freshDatabase()`. */
  readonly databaseUrl: string;
}

/** Returns the engines of this run. Throws if jest did not start any, as for `unit` tests. */
export function testEngines(): TestEngines {
  const { KAFKA_BROKERS, OPENSEARCH_URL, DATABASE_URL } = testSettings();
  if (KAFKA_BROKERS === undefined || OPENSEARCH_URL === undefined || DATABASE_URL === undefined) {
    throw new Error(
      'no engines here: name the file *.int.spec.ts, *.e2e.spec.ts or *.slow.spec.ts, and run it through jest.config.mjs',
    );
  }
  return { kafkaBrokers: KAFKA_BROKERS, opensearchUrl: OPENSEARCH_URL, databaseUrl: DATABASE_URL };
}

/**
 * Returns a unique prefix for the topics, consumer groups and indices of one test file, with a trailing dash. Everything
 * with this prefix is removed at the end of the run.
 */
export function freshPrefix(): string {
  return `${runPrefix(testSettings().TEST_RUN ?? 'alone')}${randomBytes(4).toString('hex')}-`;
}

/** The prefix of all names of a run. */
export function runPrefix(run: string): string {
  return `test-${run}-`;
}
