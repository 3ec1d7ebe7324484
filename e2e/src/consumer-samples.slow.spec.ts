import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inheritedEnvironment } from '@carbon/config';
import { TOPICS } from '@carbon/contracts';
import { fetchEngines, findJdk, type TemporaryDir, temporaryDir } from '@carbon/local';
import { createKafka, createTopics, type KafkaHandle } from '@carbon/messaging';
import { eventually, freshPrefix, testEngines } from '@carbon/testing';

const ROOT = join(import.meta.dirname, '../..');
const SAMPLES = join(ROOT, 'docs/samples');
/** Exit codes after SIGTERM: Java's tells the signal. */
const STOPPED = [0, 143];
/** Beyond the precision of a number in JavaScript. */
const GRAMS = '9007199254740993';
/** The service itself needs no Python. */
const hasPython = spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;

/** A failed test has not stopped its sample. */
const running: RunningSample[] = [];
afterEach(() => Promise.all(running.splice(0).map((sample) => sample.stop())));

let temporary: TemporaryDir;
let kafka: KafkaHandle;
let topicPrefix: string;
beforeAll(async () => {
  temporary = await temporaryDir();
});
afterAll(() => temporary.remove());
beforeEach(async () => {
  topicPrefix = freshPrefix();
  const brokers = testEngines().kafkaBrokers.split(',');
  kafka = createKafka({ brokers, clientId: 'test', topicPrefix });
  const topics = ['offset.completed', 'offset.failed'] as const;
  await eventually(() =>
    createTopics(kafka, Object.fromEntries(topics.map((topic) => [topic, { ...TOPICS[topic], partitions: 2 }]))),
  );
});

/** In a project as `npm init -y` makes it. */
async function typescriptProgram(): Promise<string[]> {
  const project = join(temporary.dir, 'typescript');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"type":"commonjs"}');
  await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  const program = join(project, 'consume-outcomes.mts');
  await cp(join(SAMPLES, 'consume-outcomes.mts'), program);
  return [process.execPath, program];
}

async function javaProgram(): Promise<string[]> {
  const jdk = findJdk('Kafka', 17, inheritedEnvironment());
  const { kafkaLibs } = await fetchEngines();
  const quick = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  return [join(jdk.home, 'bin/java'), ...quick, '-cp', join(kafkaLibs, '*'), join(SAMPLES, 'ConsumeOutcomes.java')];
}

async function pythonProgram(): Promise<string[]> {
  const environment = join(temporary.dir, 'python');
  const python = join(environment, 'bin/python');
  const install = ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', 'confluent-kafka==2.16.1'];
  for (const [program, args] of [
    ['python3', ['-m', 'venv', environment]],
    [python, install],
  ] as const) {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
  return [python, join(SAMPLES, 'consume_outcomes.py')];
}

/** A sample that runs, and the lines that it has printed. */
class RunningSample {
  readonly lines: string[] = [];
  readonly errors: string[] = [];
  private readonly process: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor([program = '', ...args]: readonly string[]) {
    const settings = { KAFKA_BROKERS: testEngines().kafkaBrokers, TOPIC_PREFIX: topicPrefix };
    const env = { ...inheritedEnvironment(), ...settings, GROUP_ID: `${topicPrefix}sample` };
    this.process = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => this.process.once('close', resolve));
    running.push(this);
    const [out, err] = [this.process.stdout, this.process.stderr];
    if (out) createInterface(out).on('line', (line) => this.lines.push(line));
    if (err) createInterface(err).on('line', (line) => this.errors.push(line));
  }

  /** Stops it as an operator would. @returns its exit code */
  stop(): Promise<number | null> {
    this.process.kill('SIGTERM');
    return this.ended;
  }
}

/** Publishes events as they may arrive: `value` is sent as it is. */
async function publish(...events: readonly { topic: string; key: string; type: string; value: string }[]) {
  const producer = kafka.client.producer();
  await producer.connect();
  for (const { topic, key, type, value } of events) {
    const headers = {
      ce_type: type,
      ce_id: `${key}.${type}`,
      ce_specversion: '1.0',
      'content-type': 'application/json',
    };
    await producer.send({ topic: kafka.names.topic(topic), messages: [{ key, value, headers }] });
  }
  await producer.disconnect();
}

const completed = (id: string, more: object = {}) => {
  const value = JSON.stringify({ id, account: 'default', grams: GRAMS, retirements: [], ...more });
  return { topic: 'offset.completed', key: id, type: 'offset.completed.v1', value };
};
const failed = (id: string) => {
  const value = JSON.stringify({ id, account: 'default', code: 'insufficient_supply', detail: 'Only 1.' });
  return { topic: 'offset.failed', key: id, type: 'offset.failed.v1', value };
};

describe('the consumers of docs/events.md', () => {
  const samples: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    TypeScript: typescriptProgram,
    Java: javaProgram,
    ...(hasPython && { Python: pythonProgram }),
  };

  it.each(Object.keys(samples))(
    'print each outcome once, skip what they cannot read, and continue where they stopped: %s',
    async (language) => {
      const command = (await samples[language]?.()) ?? [];
      await publish(
        completed('off_1', { memberOfTheFuture: 1 }),
        { ...completed('off_2'), type: 'offset.completed.v9' },
        { ...completed('off_3'), value: '{"id":' },
        failed('off_4'),
        { ...completed('off_7'), value: '[]' },
        completed('off_1'),
        completed('off_5'),
      );
      const outcomes = [
        `off_1 completed ${GRAMS} grams`,
        'off_4 failed insufficient_supply',
        `off_5 completed ${GRAMS} grams`,
      ];
      const first = new RunningSample(command);
      await eventually(() => expect([...first.lines].sort()).toEqual(outcomes));
      await eventually(() => expect(first.errors.join()).toContain('is not a JSON object'));
      expect(STOPPED).toContain(await first.stop());
      await publish(completed('off_6'));
      const second = new RunningSample(command);
      await eventually(() => expect(second.lines).toEqual([`off_6 completed ${GRAMS} grams`]));
      expect(STOPPED).toContain(await second.stop());
    },
  );
});
