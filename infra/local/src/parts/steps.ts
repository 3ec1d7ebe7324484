import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaSettings, loadConfig } from '@carbon/config';
import { createKafka, createTopics, kafkaConnection, waitForKafka } from '@carbon/messaging';
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
    run: async () => {
      const settings = loadConfig(z.object(kafkaSettings), environment);
      const kafka = createKafka({ ...kafkaConnection(settings), clientId: 'launcher' });
      await waitForKafka(kafka, KAFKA_WAIT_MS, () => {});
      const created = await createTopics(kafka);
      return created.length === 0 ? undefined : `created ${created.length} topics`;
    },
  };
}

/** The options of the step that publishes the asset library. */
export interface LibraryOptions {
  /** The file with the assets. */
  readonly file: string;
  /** The system's folder; it stores into which Kafka the library was published. */
  readonly dir: string;
  /** The settings of Kafka, including the topics' prefix. */
  readonly environment: Readonly<Record<string, string>>;
  /** Identifies the Kafka in that file; its address is not sufficient, because a local one may move to another port. */
  readonly kafkaName: string;
}

/** Publishes the asset library once per Kafka; later the operator changes it. */
export function libraryStep({ file, dir, environment, kafkaName }: LibraryOptions): StepPart {
  const marker = join(dir, 'library-published');
  const into = `${kafkaName} ${environment.TOPIC_PREFIX ?? ''}`.trim();
  return {
    kind: 'step',
    name: 'library',
    after: ['topics'],
    run: async (run) => {
      if (existsSync(marker) && readFileSync(marker, 'utf8') === into) return undefined;
      await run(script('tools/carbon/dist/carbon.js', ['assets', 'publish', file], environment), STEP_TIMEOUT_MS);
      writePrivately(marker, into);
      return 'published the asset library';
    },
  };
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
