import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOPICS } from '@carbon/contracts';
import { createKafka, createTopics, type KafkaHandle, type Message, readTopic } from '@carbon/messaging';
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
import { carbonProgram } from '../../program.js';

const CLI = fileURLToPath(new URL('../../../dist/carbon.js', import.meta.url));
const TOPIC = 'asset.published';

/** Returns a project as a line of a file. */
export function asset(n: number, more: object = {}) {
  const id = `proj_${String(n).padStart(6, '0')}`;
  const credits = { price: 2.5, issued: 1_000, active: true };
  return { id, type: 'PROJECT', source: 'VERRA', name: `Project ${n}`, ...credits, ...more };
}

/** Returns assets as the text of a file. */
export function ndjson(...assets: readonly unknown[]): string {
  return assets.map((one) => `${JSON.stringify(one)}\n`).join('');
}

/** An asset library and a folder for one test, and the built command line. */
export class TestLibrary {
  readonly topicPrefix = freshPrefix();
  readonly brokers = testEngines().kafkaBrokers;
  readonly topic: string;
  private readonly kafka: KafkaHandle;

  private constructor(readonly folder: string) {
    this.kafka = createKafka({ brokers: this.brokers.split(','), clientId: 'test', topicPrefix: this.topicPrefix });
    this.topic = this.kafka.names.topic(TOPIC);
  }

  static async create(): Promise<TestLibrary> {
    const library = new TestLibrary(await mkdtemp(join(tmpdir(), 'assets-test-')));
    // A busy broker may not know a topic yet that it has just created.
    await eventually(() => createTopics(library.kafka, { [TOPIC]: TOPICS[TOPIC] }), { within: 20_000 });
    return library;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  /** Runs the command within this process. */
  run(args: readonly string[], run: RunInProcess = {}): Promise<Ran> {
    const environment = { KAFKA_BROKERS: this.brokers, TOPIC_PREFIX: this.topicPrefix, ...run.environment };
    return runInProcess(carbonProgram, ['assets', ...args], { ...run, environment });
  }

  /** Runs the command in a separate process, in the folder of the library. */
  spawn(args: readonly string[], run: Run = {}): Promise<Ran> {
    const environment = { KAFKA_BROKERS: this.brokers, TOPIC_PREFIX: this.topicPrefix, ...run.environment };
    return runToEnd(process.execPath, [CLI, 'assets', ...args], { cwd: this.folder, ...run, environment });
  }

  /** Writes a file into the folder. @returns its path */
  async file(text: string): Promise<string> {
    const path = join(this.folder, 'some.ndjson');
    await writeFile(path, text);
    return path;
  }

  async publish(...assets: readonly unknown[]): Promise<Ran> {
    return await this.run(['publish', await this.file(ndjson(...assets))]);
  }

  /** Returns the assets that `list` prints. */
  async listed(): Promise<{ readonly assets: readonly unknown[]; readonly err: string }> {
    const { code, out, err } = await this.run(['list']);
    expect(code).toBe(0);
    const lines = out.split('\n').filter((line) => line !== '');
    return { assets: lines.map((line): unknown => JSON.parse(line)), err };
  }

  async messages(): Promise<Message[]> {
    const found: Message[] = [];
    await readTopic(this.kafka, TOPIC, (message) => void found.push(message));
    return found;
  }

  /** Publishes a message that consumers dead-letter: by default one that is not an asset. */
  async sendPoison(key: string, value = 'poison'): Promise<void> {
    const producer = this.kafka.client.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    await producer.send({ topic: this.topic, messages: [{ key, value }] });
    await producer.disconnect();
  }
}
