import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createKafka, createTopics, type KafkaHandle } from '@carbon/messaging';
import {
  eventually,
  freshPrefix,
  type Ran,
  type Run,
  type RunInProcess,
  runInProcess,
  runToEnd,
  testEngines,
} from '@carbon/testing';
import { carbonProgram } from '../program.js';

const CLI = fileURLToPath(new URL('../../dist/carbon.js', import.meta.url));

/** Topics and a folder for one test, and a group of commands that use them. */
export class CommandTopics {
  readonly topicPrefix = freshPrefix();
  readonly brokers = testEngines().kafkaBrokers;
  readonly kafka = this.client();
  readonly folder = mkdtempSync(join(tmpdir(), 'carbon-test-'));

  protected constructor(private readonly group: 'assets' | 'dead-letters') {}

  /** @param topics all by default */
  protected async createTopics(topics?: Parameters<typeof createTopics>[1]): Promise<void> {
    // A busy broker may not know a topic yet that it has just created.
    await eventually(() => createTopics(this.kafka, topics), { within: 20_000 });
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  /** Runs the command within this process. */
  run(args: readonly string[], run: RunInProcess = {}): Promise<Ran> {
    return runInProcess(carbonProgram, [this.group, ...args], { ...run, environment: this.environment(run) });
  }

  /** Runs the command in a separate process, in the folder of the test. */
  spawn(args: readonly string[], run: Run = {}): Promise<Ran> {
    const command = [CLI, this.group, ...args];
    return runToEnd(process.execPath, command, { cwd: this.folder, ...run, environment: this.environment(run) });
  }

  /** Writes a file into the folder. @returns its path */
  async file(content: string | Buffer): Promise<string> {
    const path = join(this.folder, 'some.ndjson');
    await writeFile(path, content);
    return path;
  }

  protected client(): KafkaHandle {
    return createKafka({ brokers: this.brokers.split(','), clientId: 'test', topicPrefix: this.topicPrefix });
  }

  private environment({ environment }: Run): Record<string, string> {
    return { KAFKA_BROKERS: this.brokers, TOPIC_PREFIX: this.topicPrefix, ...environment };
  }
}
