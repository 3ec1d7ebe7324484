import { gatewayAddress, loopback } from './gateway-address.js';

describe('the gateway that the load goes to', () => {
  it('is the one that the environment names', () => {
    expect(gatewayAddress({ GATEWAY_URL: 'http://127.0.0.1:3999/' })).toBe('http://127.0.0.1:3999');
  });

  it('is where one runs by default when nothing names any', () => {
    expect(gatewayAddress({})).toBe('http://127.0.0.1:3000');
  });

  it.each(['http://gateway.example', 'gateway', 'http://10.0.0.1:3000'])('is never another machine: %s', (address) => {
    expect(() => loopback(address)).toThrow('must be an address on this machine');
  });

  it('is not another machine that the environment names either', () => {
    expect(() => gatewayAddress({ GATEWAY_URL: 'http://gateway.example' })).toThrow(
      'must be an address on this machine',
    );
  });
});
