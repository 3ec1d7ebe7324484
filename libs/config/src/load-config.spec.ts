import { z } from 'zod';
import { ConfigError } from './config-error.js';
import { url } from './fragments/addresses.js';
import { httpSettings, logSettings } from './fragments/common-settings.js';
import { kafkaSettings } from './fragments/kafka-settings.js';
import { secretList } from './fragments/secrets.js';
import { flag, whole } from './fragments/values.js';
import { loadConfig } from './load-config.js';

const SECRET = 'b7Yk2mQp9sTn4vXw8zAc1eFg5hJk3lRd';
const schema = z.object({
  ...httpSettings(3000),
  ...kafkaSettings,
  ...logSettings,
  ID_SECRETS: secretList('Proves ids.'),
  DATABASE_URL: url(['postgresql', 'postgres'], {
    description: 'The database.',
    secret: true,
    example: 'postgresql://…',
  }),
  WORKERS: whole(1, 8, { description: 'Workers.', fallback: '2' }),
  STRICT: flag(true, 'Strictness.'),
});
const GOOD = { ID_SECRETS: SECRET, DATABASE_URL: 'postgresql://carbon:hunter2@db:5432/offsets' };

function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(schema, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name, detail }) => `${name} ${detail}`);
    throw error;
  }
  throw new Error('it was taken');
}

describe('loadConfig', () => {
  it('gives typed settings, and defaults for what is not set', () => {
    const config = loadConfig(schema, {
      ...GOOD,
      PORT: '8080',
      KAFKA_BROKERS: 'a:1, [::1]:2',
      STRICT: 'false',
      OTHER: 'x',
    });
    expect(config).toEqual(
      expect.objectContaining({
        PORT: 8080,
        HOST: '127.0.0.1',
        KAFKA_BROKERS: ['a:1', '[::1]:2'],
        TOPIC_PREFIX: '',
        STRICT: false,
        WORKERS: 2,
        HTTP_BODY_BYTES: 16_384,
        ID_SECRETS: [SECRET],
      }),
    );
    expect(config).not.toHaveProperty('OTHER');
  });

  it('cannot be changed afterwards, not even inside', () => {
    const config = loadConfig(schema, GOOD);
    expect(Object.isFrozen(config) && Object.isFrozen(config.KAFKA_BROKERS)).toBe(true);
  });

  it('takes an empty variable for one that is not set', () => {
    expect(loadConfig(schema, { ...GOOD, PORT: '', TOPIC_PREFIX: '' }).PORT).toBe(3000);
  });

  it('names every wrong setting at once: what is wrong and what to do', () => {
    expect(
      faultsOf({
        PORT: '70000',
        LOG_LEVEL: 'loud',
        KAFKA_BROKERS: 'kafka',
        WORKERS: '1.5',
        STRICT: 'yes',
        DATABASE_URL: 'x',
      }),
    ).toEqual([
      'PORT must be a whole number from 0 to 65535 (it is "70000")',
      'KAFKA_BROKERS must be one or more host:port, separated by commas (it is "kafka")',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (it is "loud")',
      expect.stringMatching(
        /^ID_SECRETS must be set to one or more secrets of at least 32 characters; `npm start` makes one/,
      ),
      'DATABASE_URL must be an address that begins with postgresql:// or postgres://',
      'WORKERS must be a whole number from 1 to 8 (it is "1.5")',
      'STRICT must be true or false (it is "yes")',
    ]);
  });

  it('says what a missing setting is for and how one looks', () => {
    expect(faultsOf({ ID_SECRETS: SECRET })).toEqual([
      'DATABASE_URL must be set, for example postgresql://…. The database.',
    ]);
  });

  it.each([`${SECRET}é`, `${SECRET}\u0000`, `${SECRET} ${SECRET}`, `${SECRET},${SECRET}\n${SECRET}`])(
    'refuses a secret that no header can hold (%#)',
    (secret) => expect(faultsOf({ ...GOOD, ID_SECRETS: secret })).toEqual([expect.stringMatching(/visible ASCII/)]),
  );

  it.each(['hunter2', `${SECRET},hunter2`, 'hunter2hunter2hunter2hunter2hunter2'])(
    'never prints a secret (%#)',
    (secret) => {
      const [fault] = faultsOf({ ...GOOD, ID_SECRETS: secret, DATABASE_URL: 'mysql://root:hunter2@db' });
      expect(fault).toMatch(/^ID_SECRETS must hold secrets of at least 32 random characters/);
      expect(faultsOf({ ...GOOD, ID_SECRETS: secret, DATABASE_URL: 'mysql://root:hunter2@db' }).join()).not.toContain(
        'hunter2',
      );
    },
  );
});
