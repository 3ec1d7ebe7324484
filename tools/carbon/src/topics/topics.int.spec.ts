import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '@carbon/config';
import { TOPICS } from '@carbon/contracts';
import { freshPrefix, runInProcess, testEngines } from '@carbon/testing';
import { topicsCommand } from './command.js';

const CLI = fileURLToPath(new URL('../../dist/carbon.js', import.meta.url));

const topics = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  runInProcess(topicsCommand, args, { environment });

describe('npm run topics', () => {
  it('creates the topics and says so in sentences, or with --json as a document', async () => {
    const environment = { KAFKA_BROKERS: testEngines().kafkaBrokers, TOPIC_PREFIX: freshPrefix() };
    const { code, out } = await topics(environment, '--json');
    const created = Object.keys(TOPICS).flatMap((topic) => [topic, `${topic}.dead-letter`]);
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ created, changes: [] })]);
    expect(await topics(environment)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^all topics already exist\n/),
    });
  });

  it('ends by the signal while it waits for Kafka', async () => {
    const environment = { ...inheritedEnvironment(), KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '600000' };
    const child = spawn(process.execPath, [CLI, 'topics'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
  });

  it('exits with 75 when Kafka does not answer', async () => {
    expect(await topics({ KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' })).toMatchObject({
      code: 75,
      err: expect.stringMatching(
        /^Not all topics were created or updated: .*Does KAFKA_BROKERS name a running Kafka\?\n$/,
      ),
    });
  });
});
