import { TOPICS } from '@carbon/contracts';
import { type Message, readTopic } from '@carbon/messaging';
import type { Ran } from '@carbon/testing';
import { CommandTopics } from '../../testing/command-topics.js';

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

/** An asset library for one test, and the commands for assets. */
export class TestLibrary extends CommandTopics {
  readonly topic = this.kafka.names.topic(TOPIC);

  static async create(): Promise<TestLibrary> {
    const library = new TestLibrary('assets');
    await library.createTopics({ [TOPIC]: TOPICS[TOPIC] });
    return library;
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
