import { type Environment, loadConfig } from '@carbon/config';
import { settings } from './settings.js';

const read = (environment: Environment) => () => loadConfig(settings, environment);

describe('the settings of the command', () => {
  it.each(['http://127.0.0.1:3000', 'http://localhost:3000/', 'http://[::1]:3000'])('take %s', (GATEWAY_URL) => {
    expect(read({ GATEWAY_URL })().GATEWAY_URL).toBe(GATEWAY_URL.replace(/\/$/, ''));
  });

  it.each([
    'http://10.0.0.7:3000',
    'http://api.example',
    'http://127.0.0.1.example:3000',
    'http://localhost@api.example',
    'http://0.0.0.0:3000',
  ])('refuse another machine’s address: %s', (GATEWAY_URL) => {
    expect(read({ GATEWAY_URL })).toThrow('GATEWAY_URL must be an address on this machine');
  });

  it('print no key', () => {
    expect(read({ API_KEY: 'a secret one' })).toThrow('API_KEY must be a key');
    expect(read({ API_KEY: 'a secret one' })).not.toThrow('secret one');
  });
});
