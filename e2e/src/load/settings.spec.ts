import { loadConfig } from '@carbon/config';
import { readLoopback } from '@carbon/terminal';
import { loadSettings } from './settings.js';

const read = (GATEWAY_URL?: string) => () => loadConfig(loadSettings, { GATEWAY_URL }).GATEWAY_URL;

describe('the gateway under load', () => {
  it('is the one of the environment', () => {
    expect(read('http://127.0.0.1:3999/')()).toBe('http://127.0.0.1:3999');
  });

  it('is the local one by default', () => {
    expect(read()()).toBe('http://127.0.0.1:3000');
  });

  it('is the one of the command line', () => {
    expect(readLoopback('http://localhost:3999/')).toBe('http://localhost:3999');
  });

  it.each(['http://gateway.example', 'http://10.0.0.1:3000'])('is never on another machine: %s', (address) => {
    expect(() => readLoopback(address)).toThrow('must be an address on this machine');
    expect(read(address)).toThrow('GATEWAY_URL must be an address on this machine');
  });

  it.each(['gateway', 'htp://localhost:3000', 'ftp://localhost', 'http://localhost:3000/carbon'])(
    'is refused with a message when it is not the URL of a server: %s',
    (address) => {
      expect(() => readLoopback(address)).toThrow('must be an address on this machine');
    },
  );
});
