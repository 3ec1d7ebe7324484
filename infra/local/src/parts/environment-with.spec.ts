import { environmentWith } from './environment-with.js';

describe('the environment of an app or a step', () => {
  it('has nothing from the shell of what the launcher decides, in whichever way it was set', () => {
    const shell = {
      PATH: '/bin',
      LOG_LEVEL: 'debug',
      PORT: '1',
      INDEX_PREFIX: 'theirs-',
      API_KEYS_FILE: '/their/keys.json',
      DATABASE_URL_FILE: '/run/secrets/database',
      OPENSEARCH_URL_FILE: '/run/secrets/opensearch',
      ID_SECRETS: 'theirs',
      KAFKA_TLS: 'on',
      KAFKA_SASL_PASSWORD: 'theirs',
    };
    expect(environmentWith({ DATABASE_URL: 'postgresql://ours' }, shell)).toEqual({
      PATH: '/bin',
      LOG_LEVEL: 'debug',
      DATABASE_URL: 'postgresql://ours',
    });
  });
});
