import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaSettings, loadConfig } from '@carbon/config';
import {
  createKafka,
  createTopics,
  hasNeverHadMessages,
  type KafkaHandle,
  kafkaConnection,
  topicEnds,
  waitForKafka,
} from '@carbon/messaging';
import { z } from 'zod';
import { CHECKOUT, writePrivately } from '../checkout.js';
import type { Command } from '../processes/guarded-process.js';
import type { StepPart } from '../supervise/part.js';
import { environmentWith } from './app.js';

const STEP_TIMEOUT_MS = 120_000;

/** Returns the step that migrates the database. @param environment how PostgreSQL is reached */
export function migrationsStep(environment: Readonly<Record<string, string>>): StepPart {
  return {
    kind: 'step',
    name: 'migrations',
    after: ['postgres'],
    run: async (run) => {
      await run(script('apps/offsets/dist/persistence/migrate.js', [], environment), STEP_TIMEOUT_MS);
      return 'the database has its tables';
    },
  };
}

/** A running Kafka may have been started at the same time. */
const KAFKA_WAIT_MS = 30_000;

/** Returns the step that creates missing topics. @param environment how Kafka is reached */
export function topicsStep(environment: Readonly<Record<string, string>>): StepPart {
  return {
    kind: 'step',
    name: 'topics',
    after: ['kafka'],
    run: async (_, stopping) => {
      const kafka = kafkaOf(environment);
      await waitForKafka(kafka, KAFKA_WAIT_MS, () => {}, stopping);
      const created = await createTopics(kafka);
      return created.length === 0 ? undefined : `created ${created.length} topics`;
    },
  };
}

/** The options of the step that publishes the asset library. */
export interface LibraryOptions {
  /** The file with the assets. */
  readonly file: string;
  /** The system's folder; while the library is being published, it stores into which Kafka. */
  readonly dir: string;
  /** The settings of Kafka, including the topics' prefix. */
  readonly environment: Readonly<Record<string, string>>;
  /** Identifies the Kafka in that file; its address is not sufficient, because a local one may move to another port. */
  readonly kafkaName: string;
}

/** Publishes the asset library into a topic that has never had a message; after that it is the operator's. */
export function libraryStep({ file, dir, environment, kafkaName }: LibraryOptions): StepPart {
  const marker = join(dir, 'library-publishing');
  const into = `${kafkaName} ${environment.TOPIC_PREFIX ?? ''}`.trim();
  return {
    kind: 'step',
    name: 'library',
    after: ['topics'],
    run: async (run) => {
      const wasInterrupted = existsSync(marker) && readFileSync(marker, 'utf8') === into;
      const ends = await topicEnds(kafkaOf(environment), 'asset.published');
      if (!wasInterrupted && !hasNeverHadMessages(ends)) return undefined;
      writePrivately(marker, into);
      await run(script('tools/carbon/dist/carbon.js', ['assets', 'publish', file], environment), STEP_TIMEOUT_MS);
      rmSync(marker);
      return 'published the asset library';
    },
  };
}

function kafkaOf(environment: Readonly<Record<string, string>>): KafkaHandle {
  const settings = loadConfig(z.object(kafkaSettings), environment);
  return createKafka({ ...kafkaConnection(settings), clientId: 'launcher' });
}

function script(path: string, args: readonly string[], environment: Readonly<Record<string, string>>): Command {
  return {
    file: process.execPath,
    args: [join(CHECKOUT, path), ...args],
    cwd: CHECKOUT,
    env: environmentWith(environment),
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  };
}
