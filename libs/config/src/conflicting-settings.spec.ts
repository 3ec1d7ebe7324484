import { z } from 'zod';
import { ConfigError } from './config-error.js';
import { kafkaSettings } from './fragments/kafka-settings.js';
import { loadConfig } from './load-config.js';

const HERE = import.meta.filename;

function faultsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(z.object(kafkaSettings), environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name, detail }) => `${name} ${detail}`);
    throw error;
  }
}

const PASSWORD = { KAFKA_SASL_USERNAME: 'carbon', KAFKA_SASL_PASSWORD: 'secret' };

describe('settings of Kafka that cannot be used together', () => {
  it.each([
    [{ KAFKA_TLS_CA_FILE: HERE }, ['KAFKA_TLS_CA_FILE needs KAFKA_TLS=on']],
    [{ KAFKA_TLS: 'on', KAFKA_TLS_CERT_FILE: HERE }, ['KAFKA_TLS_KEY_FILE must be set beside KAFKA_TLS_CERT_FILE']],
    [{ KAFKA_TLS: 'on', KAFKA_TLS_KEY_FILE: HERE }, ['KAFKA_TLS_CERT_FILE must be set beside KAFKA_TLS_KEY_FILE']],
    [{ KAFKA_SASL_PASSWORD: 'x' }, ['KAFKA_SASL_PASSWORD needs KAFKA_SASL_MECHANISM']],
    [
      { KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'carbon' },
      ['KAFKA_SASL_PASSWORD must be set for KAFKA_SASL_MECHANISM=scram-sha-512'],
    ],
    [
      { KAFKA_SASL_MECHANISM: 'plain', ...PASSWORD },
      ['KAFKA_TLS must be set to on for KAFKA_SASL_MECHANISM=plain, which sends the secret itself'],
    ],
    [
      { KAFKA_TLS: 'on', KAFKA_SASL_MECHANISM: 'oauthbearer' },
      [
        'KAFKA_SASL_TOKEN_FILE or KAFKA_SASL_TOKEN_COMMAND, exactly one of the two, must be set for KAFKA_SASL_MECHANISM=oauthbearer',
      ],
    ],
  ])('%j', (environment, faults) => {
    expect(faultsOf(environment)).toEqual(faults);
  });

  it.each<Readonly<Record<string, string>>>([
    {},
    { KAFKA_TLS: 'on' },
    { KAFKA_TLS: 'on', KAFKA_TLS_CERT_FILE: HERE, KAFKA_TLS_KEY_FILE: HERE },
    { KAFKA_SASL_MECHANISM: 'scram-sha-256', ...PASSWORD },
    { KAFKA_TLS: 'on', KAFKA_SASL_MECHANISM: 'plain', ...PASSWORD },
    { KAFKA_TLS: 'on', KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_SASL_TOKEN_COMMAND: 'token' },
  ])('%j is taken', (environment) => {
    expect(faultsOf(environment)).toEqual([]);
  });

  it('a file that cannot be read stops the start', () => {
    expect(faultsOf({ KAFKA_TLS: 'on', KAFKA_TLS_CA_FILE: '/nowhere/ca.pem' })).toEqual([
      expect.stringContaining('KAFKA_TLS_CA_FILE names a file that cannot be read (ENOENT)'),
    ]);
  });
});
