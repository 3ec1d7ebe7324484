import { type Environment, loadConfig } from '@carbon/config';
import { launcherSettings } from './settings.js';

const read = (environment: Environment) => () => loadConfig(launcherSettings, environment);

describe('the launcher’s settings', () => {
  it('need none to be set', () => {
    expect(read({})()).toMatchObject({ GATEWAY_PORT: 3000, TOPIC_PREFIX: '', INDEX_PREFIX: '' });
  });

  it('take engines that run already', () => {
    const engines = { OPENSEARCH_URL: 'http://search:9200', DATABASE_URL: 'postgresql://carbon@db/carbon' };
    expect(read({ ...engines, KAFKA_BROKERS: 'a:9092,b:9092' })()).toMatchObject({
      ...engines,
      KAFKA_BROKERS: ['a:9092', 'b:9092'],
    });
  });

  it('refuse an engine’s address that cannot be one, and print no password in it', () => {
    const wrong = { KAFKA_BROKERS: 'kafka', OPENSEARCH_URL: 'search:hunter2@9200', DATABASE_URL: 'pg://me:hunter2@db' };
    expect(read(wrong)).toThrow(
      'The configuration cannot be used:\n' +
        '  KAFKA_BROKERS must be one or more host:port, separated by commas (it is "kafka")\n' +
        '  OPENSEARCH_URL must be an address that begins with http:// or https://, or several separated by commas\n' +
        '  DATABASE_URL must be an address that begins with postgresql:// or postgres://',
    );
    expect(read(wrong)).not.toThrow('hunter2');
  });
});
