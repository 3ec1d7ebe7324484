import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CarbonClient } from '@carbon/client';
import { kafkaSettings, loadConfig } from '@carbon/config';
import { deadLetterTopic, TOPICS } from '@carbon/contracts';
import {
  CHECKOUT,
  type EngineAddresses,
  type RunningSystem,
  type StartSystemOptions,
  startSystem,
  temporaryDir,
} from '@carbon/local';
import { createKafka, type KafkaHandle, kafkaConnection, topicEnds } from '@carbon/messaging';
import { copyLogs, type FreshDatabase, freshDatabase, freshPrefix, testEngines } from '@carbon/testing';
import { z } from 'zod';
import { Client } from '../load/client.js';

const CARBON = join(CHECKOUT, 'tools/carbon/dist/carbon.js');
const run = promisify(execFile);

/** The apps of a system and their number, and how its engines are reached. */
type Shape = Pick<StartSystemOptions, 'apps' | 'engineSettings'>;

/** A system of apps, with a client, for one test file. */
export interface TestSystem {
  readonly system: RunningSystem;
  /** A plain HTTP client, for headers and for requests that no typed client would send. */
  readonly client: Client;
  /** The typed client. It does not retry, because a transient error is a finding here. */
  readonly carbon: CarbonClient;
  /** Returns a client of the system's Kafka, with its topics by their plain names. */
  readonly kafka: KafkaHandle;
  /** Runs a command of the checkout with the system's environment; rejects unless it exits with 0. */
  command(...args: string[]): Promise<{ stdout: string; stderr: string }>;
  /** Rejects unless every gram is accounted for and every hash chain of the ledger is valid. */
  audit(): Promise<void>;
  /** Counts the messages in each dead-letter topic; omits empty ones. */
  deadLetters(): Promise<Record<string, bigint>>;
  /** Stops everything, and rejects if the audit just before found an error. */
  stop(): Promise<void>;
}

/** How a test's system differs from one of each app on the engines of the test run. */
export interface SystemOptions extends Shape {
  /** Another Kafka than the test run's. */
  readonly kafkaBrokers?: string;
  /** A separate PostgreSQL, whose data directory the test may restore. */
  readonly ownPostgres?: boolean;
  /** An empty existing database. */
  readonly databaseUrl?: string;
}

/** The apps on the engines of the test run, with their own database, topics and indices. */
export async function systemOnSharedEngines(options: SystemOptions = {}): Promise<TestSystem> {
  const shared = testEngines();
  const { ownPostgres = false, kafkaBrokers = shared.kafkaBrokers, databaseUrl: given, ...shape } = options;
  const database = ownPostgres || given !== undefined ? undefined : await freshDatabase();
  const databaseUrl = given ?? database?.url;
  const engines = {
    opensearchUrl: shared.opensearchUrl,
    kafkaBrokers,
    ...(databaseUrl !== undefined && { databaseUrl }),
  };
  return start(engines, freshPrefix(), shape, database);
}

/** A complete system with its own engines, which a test may kill. */
export async function systemWithOwnEngines(): Promise<TestSystem> {
  return start({}, '', {});
}

async function start(
  engines: EngineAddresses,
  prefix: string,
  shape: Shape,
  database?: FreshDatabase,
): Promise<TestSystem> {
  const folder = await temporaryDir();
  const names = { topicPrefix: prefix, indexPrefix: prefix };
  const system = await startSystem({ dir: folder.dir, engines, ...names, shortLived: true, ...shape });
  const baseUrl = system.urls.gateway;
  const client = new Client(baseUrl, 32);
  const command = (...args: string[]) =>
    run(process.execPath, [CARBON, ...args], { env: { ...system.environment }, timeout: 60_000 });
  const audit = async () => {
    await Promise.all(['audit', 'verify'].map((check) => command('ledger', check)));
  };
  const settings = loadConfig(z.object(kafkaSettings), system.environment);
  const kafka = () => createKafka({ ...kafkaConnection(settings), clientId: 'e2e' });
  return {
    ...{ system, client, command, audit },
    carbon: new CarbonClient({ baseUrl, tries: 1 }),
    get kafka() {
      return kafka();
    },
    deadLetters: () => deadLettersOf(kafka()),
    stop: async () => {
      try {
        await audit();
      } finally {
        await client.close();
        await system.stop();
        await database?.drop();
        copyLogs(join(folder.dir, 'logs'));
        folder.remove();
      }
    },
  };
}

async function deadLettersOf(kafka: KafkaHandle): Promise<Record<string, bigint>> {
  const counts: Record<string, bigint> = {};
  for (const topic of Object.keys(TOPICS)) {
    const [ends] = await topicEnds(kafka, deadLetterTopic(topic));
    if (ends !== undefined && ends.end > 0n) counts[topic] = ends.end;
  }
  return counts;
}
