import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { deadLetterTopic, TOPICS } from '@carbon/contracts';
import { type EngineAddresses, type RunningSystem, startSystem, temporaryDir } from '@carbon/local';
import { createKafka, endsOf } from '@carbon/messaging';
import { type FreshDatabase, freshDatabase, freshPrefix, testEngines } from '@carbon/testing';
import { Client } from './load/client.js';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The three apps of a system, with a client, for one test file. */
export interface TestSystem {
  readonly system: RunningSystem;
  readonly client: Client;
  /** Runs a command of the checkout with the system's environment; rejects when it exits with anything but 0. */
  command(file: string, ...args: string[]): Promise<{ stdout: string; stderr: string }>;
  /** How many messages lie in each dead-letter topic, by topic; those without any are left out. */
  deadLetters(): Promise<Record<string, bigint>>;
  stop(): Promise<void>;
}

/**
 * The apps on the engines of the test run, with a database, topics and indices of their own.
 *
 * @param opensearchUrl another way to that OpenSearch
 */
export async function systemOnSharedEngines({ opensearchUrl = testEngines().opensearchUrl } = {}): Promise<TestSystem> {
  const database = await freshDatabase();
  const prefix = freshPrefix();
  const { kafkaBrokers } = testEngines();
  const engines = { kafkaBrokers, opensearchUrl, databaseUrl: database.url };
  return start(engines, prefix, database);
}

/** A whole system with engines of its own, which a test may kill. */
export async function systemWithOwnEngines(): Promise<TestSystem> {
  return start({}, '', undefined);
}

async function start(engines: EngineAddresses, prefix: string, database?: FreshDatabase): Promise<TestSystem> {
  const folder = await temporaryDir();
  const system = await startSystem({ dir: folder.dir, engines, topicPrefix: prefix, indexPrefix: prefix });
  const client = new Client(system.urls.gateway, 32);
  return {
    system,
    client,
    command: (file, ...args) =>
      run(process.execPath, [resolve(CHECKOUT, file), ...args], { env: { ...system.environment }, timeout: 60_000 }),
    deadLetters: () => deadLettersOf(system, prefix),
    stop: async () => {
      await client.close();
      await system.stop();
      await database?.drop();
      folder.remove();
    },
  };
}

async function deadLettersOf(system: RunningSystem, topicPrefix: string): Promise<Record<string, bigint>> {
  const kafka = createKafka({ brokers: system.urls.kafkaBrokers.split(','), clientId: 'e2e', topicPrefix });
  const counts: Record<string, bigint> = {};
  for (const topic of Object.keys(TOPICS)) {
    const [ends] = await endsOf(kafka, deadLetterTopic(topic));
    if (ends !== undefined && ends.end > 0n) counts[topic] = ends.end;
  }
  return counts;
}
