import { loadConfig } from '@carbon/config';
import { loadSettings, readLoopback } from './settings.js';

const read = (GATEWAY_URL?: string) => () => loadConfig(loadSettings, { GATEWAY_URL }).GATEWAY_URL;

describe('the gateway that the load goes to', () => {
  it('is the one that the environment names', () => {
    expect(read('http://127.0.0.1:3999/')()).toBe('http://127.0.0.1:3999');
  });

  it('is where one runs by default when nothing names any', () => {
    expect(read()()).toBe('http://127.0.0.1:3000');
  });

  it('is the one that the command line names', () => {
    expect(readLoopback('http://localhost:3999/')).toBe('http://localhost:3999');
  });

  it.each(['http://gateway.example', 'http://10.0.0.1:3000'])('is never another machine: %s', (address) => {
    expect(() => readLoopback(address)).toThrow('must be an address on this machine');
    expect(read(address)).toThrow('GATEWAY_URL must be an address on this machine');
  });

  it('is refused in words when it is no address at all', () => {
    expect(() => readLoopback('gateway')).toThrow('must be an address on this machine');
  });
});
