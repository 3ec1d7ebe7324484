import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaSettings, loadConfig } from '@carbon/config';
import {
  CertificateAuthority,
  type SecuredKafka,
  startSecuredKafka,
  type TemporaryDir,
  temporaryDir,
} from '@carbon/local';
import {
  createKafka,
  createTopics,
  type KafkaHandle,
  kafkaConnection,
  kafkaHint,
  readTopic,
  SelfClockedProducer,
  waitForKafka,
} from '@carbon/messaging';
import { eventually, type Ran, runToEnd } from '@carbon/testing';
import { z } from 'zod';

const CARBON = join(import.meta.dirname, '../../../tools/carbon/dist/carbon.js');

type Environment = Readonly<Record<string, string>>;

const WITHOUT_SASL = { KAFKA_SASL_MECHANISM: '', KAFKA_SASL_USERNAME: '', KAFKA_SASL_PASSWORD: '' };

let folder: TemporaryDir;
let broker: SecuredKafka;
let environment: Environment;
const warnings: string[] = [];

beforeAll(async () => {
  folder = await temporaryDir();
  broker = await startSecuredKafka(join(folder.dir, 'kafka'), new CertificateAuthority());
  environment = broker.environment;
});

afterAll(async () => {
  await broker?.stop();
  folder?.remove();
});

function kafkaWith(more: Environment): KafkaHandle {
  const settings = loadConfig(z.object(kafkaSettings), { ...environment, TOPIC_PREFIX: 'secured-', ...more });
  const nothing = () => {};
  const warn = (_: object, message: string) => void warnings.push(message);
  const logger = { debug: nothing, info: nothing, warn, error: nothing };
  return createKafka({ ...kafkaConnection(settings), clientId: 'test', logger });
}

/** Creates topics, publishes a message, and consumes it. */
async function publishAndRead(kafka: KafkaHandle): Promise<void> {
  await createTopics(kafka);
  const producer = new SelfClockedProducer(kafka, { deadlineMs: 60_000, refuseAfterMs: 60_000 });
  const key = `pool_${Math.random().toString(36).slice(2)}`;
  await producer.forward({ topic: 'asset.published', key: Buffer.from(key), value: null, headers: {} });
  await producer.close();
  const keys: string[] = [];
  await readTopic(kafka, 'asset.published', (message) => void keys.push(message.key));
  expect(keys).toContain(key);
}

/** An unsigned token, of which the broker checks the subject and the times. */
function tokenOf(subject: string, seconds = 3_600): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  return `${part({ alg: 'none' })}.${part({ sub: subject, iat: now - 60, exp: now + seconds })}.`;
}

function fileWith(name: string, content: string): string {
  const file = join(folder.dir, name);
  writeFileSync(file, content);
  return file;
}

async function failureOf(more: Environment): Promise<string> {
  const failure: unknown = await waitForKafka(kafkaWith(more), 0, () => {}).then(
    () => new Error('it connected'),
    (error: unknown) => error,
  );
  return `${kafkaHint(failure) ?? `no advice: ${failure}`}`;
}

function run(args: readonly string[], more: Environment): Promise<Ran> {
  const settings = { ...environment, TOPIC_PREFIX: 'secured-', ...more };
  return runToEnd(process.execPath, [CARBON, ...args], { environment: settings });
}

describe('over TLS with SASL', () => {
  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('%s publishes and reads', async (mechanism) => {
    await publishAndRead(kafkaWith({ KAFKA_SASL_MECHANISM: mechanism }));
  });

  it('oauthbearer publishes and reads, with a token from a file', async () => {
    const token = { KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_SASL_TOKEN_FILE: fileWith('token', tokenOf('carbon')) };
    await publishAndRead(kafkaWith({ ...WITHOUT_SASL, ...token }));
  });

  it('oauthbearer authenticates again within a session, with a new token of the command', async () => {
    const [runs, token] = [fileWith('runs', ''), fileWith('command-token', tokenOf('carbon'))];
    const command = `echo run >> ${runs}; cat ${token}`;
    const kafka = kafkaWith({
      ...WITHOUT_SASL,
      KAFKA_SASL_MECHANISM: 'oauthbearer',
      KAFKA_SASL_TOKEN_COMMAND: command,
    });
    const count = () => readFileSync(runs, 'utf8').split('\n').length - 1;
    const admin = kafka.client.admin();
    await admin.connect();
    await admin.describeCluster();
    const before = count();
    await eventually(async () => {
      await admin.describeCluster();
      expect(count()).toBeGreaterThan(before);
    });
    await admin.describeCluster();
    await admin.disconnect();
  });

  it('a client certificate replaces a password', async () => {
    await publishAndRead(kafkaWith({ ...WITHOUT_SASL, ...mutual(broker.files) }));
  });
});

function mutual({ certificate, key }: { readonly certificate: string; readonly key: string }): Environment {
  return {
    KAFKA_BROKERS: `localhost:${broker.ports.mutual}`,
    KAFKA_TLS_CERT_FILE: certificate,
    KAFKA_TLS_KEY_FILE: key,
  };
}

describe('a wrong setting is reported with the setting to change:', () => {
  const at = (port: keyof SecuredKafka['ports']): Environment => ({
    ...WITHOUT_SASL,
    KAFKA_BROKERS: `localhost:${broker.ports[port]}`,
  });
  const otherAuthority = new CertificateAuthority('Another authority');
  const cases: readonly (readonly [string, () => Environment, RegExp])[] = [
    [
      'an unknown authority',
      () => ({ KAFKA_TLS_CA_FILE: fileWith('other.pem', otherAuthority.certificate) }),
      /KAFKA_TLS_CA_FILE/,
    ],
    ['a wrong password', () => ({ KAFKA_SASL_PASSWORD: 'wrong' }), /KAFKA_SASL_PASSWORD/],
    [
      'a wrong password with plain',
      () => ({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_PASSWORD: 'wrong' }),
      /KAFKA_SASL_PASSWORD/,
    ],
    [
      'a token that has expired',
      () => ({
        ...WITHOUT_SASL,
        KAFKA_SASL_MECHANISM: 'oauthbearer',
        KAFKA_SASL_TOKEN_FILE: fileWith('old-token', tokenOf('carbon', -3_600)),
      }),
      /refuses the token/,
    ],
    [
      'a token that is not there',
      () => ({
        ...WITHOUT_SASL,
        KAFKA_SASL_MECHANISM: 'oauthbearer',
        KAFKA_SASL_TOKEN_COMMAND: 'exit 3',
      }),
      /KAFKA_SASL_TOKEN_COMMAND/,
    ],
    ['an expired certificate', () => at('expired'), /has expired/],
    ['a certificate for another name', () => at('misnamed'), /another host name/],
    ['a missing client certificate', () => at('mutual'), /KAFKA_TLS_CERT_FILE/],
    [
      'a client certificate of another authority',
      () => {
        const { certificate, key } = otherAuthority.issue({ name: 'carbon' });
        return mutual({ certificate: fileWith('x.pem', certificate), key: fileWith('x.key', key) });
      },
      /KAFKA_TLS_CERT_FILE/,
    ],
    ['TLS at a plain port', () => at('plain'), /does not speak TLS .* KAFKA_TLS=off/],
    ['no TLS at a TLS port', () => ({ ...at('misnamed'), KAFKA_TLS: 'off', KAFKA_TLS_CA_FILE: '' }), /KAFKA_TLS=on/],
    [
      'SASL at a port without it',
      () => ({ KAFKA_BROKERS: `localhost:${broker.ports.mutual}`, ...mutual(broker.files) }),
      /unset KAFKA_SASL_MECHANISM/,
    ],
    ['no SASL at a port that wants it', () => at('sasl'), /KAFKA_SASL_MECHANISM/],
  ];

  it.each(cases)('%s', async (_, more, sentence) => {
    expect(await failureOf(more())).toMatch(sentence);
  });

  it('in the log of a producer, which keeps retrying', async () => {
    warnings.length = 0;
    const producer = new SelfClockedProducer(kafkaWith({ KAFKA_SASL_PASSWORD: 'wrong' }), {});
    producer.open();
    const clear = () => warnings.filter((line) => /check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD/.test(line));
    await eventually(() => expect(clear().length).toBeGreaterThan(1));
    await producer.close();
  });
});

describe('a command', () => {
  it('works with the same settings', async () => {
    expect(await run(['topics'], {})).toMatchObject({ code: 0 });
    expect(await run(['assets', 'list'], {})).toMatchObject({ code: 0, out: '' });
    expect(await run(['dead-letters', 'list'], {})).toMatchObject({ code: 0 });
  });

  it('exits with the message, without waiting, when a setting is wrong', async () => {
    const wrong = { KAFKA_SASL_PASSWORD: 'wrong' };
    const hint = expect.stringContaining('check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD');
    for (const args of [['topics'], ['assets', 'list'], ['dead-letters', 'list']])
      expect(await run(args, wrong)).toMatchObject({ code: 75, err: hint });
  });
});
