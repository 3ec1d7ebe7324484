import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { httpSettings, logSettings } from './app-settings.js';
import { kafkaSettings } from './engine-settings.js';
import { ConfigError, loadConfig } from './load-config.js';
import { flag, integer, secretList, url } from './setting.js';

type Environment = Readonly<Record<string, string>>;

const SECRET = 'b7Yk2mQp9sTn4vXw8zAc1eFg5hJk3lRd';
const OTHER = 'Wq0eR7tYu2iOp5aSd8fGh1jKl4zXc6vB';
const database = url(['postgresql', 'postgres'], {
  description: 'The database.',
  secret: true,
  example: 'postgresql://…',
});
const schema = z.object({
  ...httpSettings(3000),
  ...kafkaSettings,
  ...logSettings,
  ID_SECRETS: secretList('Proves ids.'),
  DATABASE_URL: database,
  WORKERS: integer(1, 8, { description: 'Workers.', fallback: '2' }),
  STRICT: flag(true, 'Strictness.'),
});
const GOOD = { ID_SECRETS: SECRET, DATABASE_URL: 'postgresql://carbon:hunter2@db:5432/offsets' };

function issuesOf(environment: Environment, settings: z.ZodObject = schema): readonly string[] {
  try {
    loadConfig(settings, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.issues.map(({ name, detail }) => `${name} ${detail}`);
    throw error;
  }
}

describe('the loaded configuration', () => {
  it('has typed settings, defaults for unset and empty ones, and no other variable', () => {
    const set = { PORT: '8080', KAFKA_BROKERS: 'a:1, b.c:2', STRICT: 'false', OTHER: 'x' };
    const config = loadConfig(schema, { ...GOOD, ...set });
    const typed = { PORT: 8080, KAFKA_BROKERS: ['a:1', 'b.c:2'], STRICT: false, ID_SECRETS: [SECRET] };
    const fallbacks = { HOST: '127.0.0.1', TOPIC_PREFIX: '', WORKERS: 2, HTTP_BODY_BYTES: 16_384 };
    expect(config).toMatchObject({ ...typed, ...fallbacks });
    expect(config).not.toHaveProperty('OTHER');
    expect(loadConfig(schema, { ...GOOD, PORT: '', TOPIC_PREFIX: '' }).PORT).toBe(3000);
  });

  it('is deeply frozen', () => {
    const config = loadConfig(schema, GOOD);
    expect(Object.isFrozen(config) && Object.isFrozen(config.KAFKA_BROKERS)).toBe(true);
  });
});

describe('invalid settings', () => {
  it('are all listed with the error and the fix', () => {
    const wrong = { PORT: '70000', LOG_LEVEL: 'loud', KAFKA_BROKERS: 'kafka', WORKERS: '1.5', STRICT: 'yes' };
    expect(issuesOf({ ...wrong, DATABASE_URL: 'x' })).toEqual([
      'PORT must be an integer from 0 to 65535 (it is "70000")',
      'KAFKA_BROKERS must be one or more host:port, separated by commas (it is "kafka")',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (it is "loud")',
      expect.stringMatching(
        /^ID_SECRETS must be set to one or more secrets of at least 32 characters; `npm start` makes one/,
      ),
      'DATABASE_URL must be a URL that begins with postgresql:// or postgres://',
      'WORKERS must be an integer from 1 to 8 (it is "1.5")',
      'STRICT must be true or false (it is "yes")',
    ]);
  });

  it('include missing ones, with their description', () => {
    const missing = 'DATABASE_URL must be set, for example postgresql://…. The database.';
    expect(issuesOf({ ID_SECRETS: SECRET })).toEqual([missing]);
  });

  it.each([`${SECRET}é`, `${SECRET}\u0000`, `${SECRET} ${SECRET}`, `${SECRET},${SECRET}\n${SECRET}`])(
    'include secrets that no header can hold (%#)',
    (secret) => expect(issuesOf({ ...GOOD, ID_SECRETS: secret })).toEqual([expect.stringMatching(/visible ASCII/)]),
  );

  it.each(['hunter2', `${SECRET},hunter2`, 'hunter2hunter2hunter2hunter2hunter2'])(
    'include weak secrets, without printing them (%#)',
    (secret) => {
      const issues = issuesOf({ ...GOOD, ID_SECRETS: secret, DATABASE_URL: 'mysql://root:hunter2@db' });
      expect(issues[0]).toMatch(/^ID_SECRETS must contain secrets of at least 32 random characters/);
      expect(issues.join()).not.toContain('hunter2');
    },
  );
});

describe('settings of Kafka', () => {
  const kafka = z.object(kafkaSettings);
  const HERE = import.meta.filename;
  const USER = { KAFKA_SASL_USERNAME: 'carbon', KAFKA_SASL_PASSWORD: 'secret' };
  const oneOfTwo = 'KAFKA_SASL_TOKEN_FILE or KAFKA_SASL_TOKEN_COMMAND, exactly one of the two, must be set for';

  it.each<readonly [Environment, string]>([
    [{ KAFKA_TLS_CA_FILE: HERE }, 'KAFKA_TLS_CA_FILE needs KAFKA_TLS=on'],
    [
      { KAFKA_TLS: 'on', KAFKA_TLS_CERT_FILE: HERE },
      'KAFKA_TLS_KEY_FILE must be set together with KAFKA_TLS_CERT_FILE',
    ],
    [{ KAFKA_TLS: 'on', KAFKA_TLS_KEY_FILE: HERE }, 'KAFKA_TLS_CERT_FILE must be set together with KAFKA_TLS_KEY_FILE'],
    [{ KAFKA_SASL_PASSWORD: 'x' }, 'KAFKA_SASL_PASSWORD needs KAFKA_SASL_MECHANISM'],
    [
      { KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'carbon' },
      'KAFKA_SASL_PASSWORD must be set for KAFKA_SASL_MECHANISM=scram-sha-512',
    ],
    [
      { KAFKA_SASL_MECHANISM: 'plain', ...USER },
      'KAFKA_TLS must be set to on for KAFKA_SASL_MECHANISM=plain, which sends the secret itself',
    ],
    [{ KAFKA_TLS: 'on', KAFKA_SASL_MECHANISM: 'oauthbearer' }, `${oneOfTwo} KAFKA_SASL_MECHANISM=oauthbearer`],
  ])('reject %j', (environment, issue) => {
    expect(issuesOf(environment, kafka)).toEqual([issue]);
  });

  it.each<Environment>([
    {},
    { KAFKA_TLS: 'on' },
    { KAFKA_TLS: 'on', KAFKA_TLS_CERT_FILE: HERE, KAFKA_TLS_KEY_FILE: HERE },
    { KAFKA_SASL_MECHANISM: 'scram-sha-256', ...USER },
    { KAFKA_TLS: 'on', KAFKA_SASL_MECHANISM: 'plain', ...USER },
    { KAFKA_TLS: 'on', KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_SASL_TOKEN_COMMAND: 'token' },
  ])('accept %j', (environment) => {
    expect(issuesOf(environment, kafka)).toEqual([]);
  });

  it('reject a file that cannot be read', () => {
    const unreadable = expect.stringContaining('KAFKA_TLS_CA_FILE names a file that cannot be read (ENOENT)');
    expect(issuesOf({ KAFKA_TLS: 'on', KAFKA_TLS_CA_FILE: '/nowhere/ca.pem' }, kafka)).toEqual([unreadable]);
  });
});

describe('secrets in production', () => {
  const COMPOSE = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
  const published = [...COMPOSE.matchAll(/(\w+_SECRETS): \$\{\w+:-([^}]+)\}/g)].map(([, name, secret]) => ({
    name,
    secret,
  }));
  const secrets = z.object({ ...logSettings, ID_SECRETS: secretList('Ids.'), CURSOR_SECRETS: secretList('Cursors.') });
  const issues = (environment: Environment) =>
    issuesOf({ LOG_LEVEL: 'info', ID_SECRETS: SECRET, CURSOR_SECRETS: OTHER, ...environment }, secrets);

  it('must not be those of docker-compose.yml', () => {
    const names = new Set(published.map(({ name }) => name));
    expect(names).toEqual(new Set(['INTERNAL_SECRETS', 'ID_SECRETS', 'IDEMPOTENCY_SECRETS', 'CURSOR_SECRETS']));
    const rejected = expect.stringMatching(/^ID_SECRETS must not be a secret from docker-compose.yml/);
    for (const ID_SECRETS of published.flatMap(({ secret = '' }) => [secret, `${SECRET},${secret}`])) {
      expect(issues({ ID_SECRETS })).toEqual([]);
      expect([ID_SECRETS, issues({ ID_SECRETS, NODE_ENV: 'production' })]).toEqual([ID_SECRETS, [rejected]]);
    }
  });

  it('must differ between settings, and are not printed when they do not', () => {
    const both = { ID_SECRETS: `${OTHER},${SECRET}`, CURSOR_SECRETS: SECRET };
    expect(issues(both)).toEqual([]);
    const rejected = ['CURSOR_SECRETS must not share a secret with ID_SECRETS'];
    expect(issues({ ...both, NODE_ENV: 'production' })).toEqual(rejected);
  });
});
