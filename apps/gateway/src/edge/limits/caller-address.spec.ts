import { callerAddress } from './caller-address.js';
import { networkOf } from './network-of.js';
import { NO_PROXIES, proxiesOf } from './trusted-proxies.js';

const from = (remoteAddress: string | undefined, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
});

const proxies = proxiesOf(['10.0.0.0/8', '192.0.2.1', 'fd00::/8']) ?? NO_PROXIES;

describe('whom a request without a key counts as', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4::/64'],
  ])('is of %s: %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
    expect(callerAddress(from(address), NO_PROXIES)).toBe(network);
  });

  it.each(['', 'nobody', '1.2.3', '1.2.3.4.5', ':::', '1:2:3', '203.0.113.7 '])(
    'is nobody in particular for %j',
    (address) => {
      expect(networkOf(address)).toBeUndefined();
      expect(callerAddress(from(address), NO_PROXIES)).toBe('unknown');
    },
  );

  it('is nobody in particular where the socket has no address', () => {
    expect(callerAddress(from(undefined), proxies)).toBe('unknown');
  });

  it('is never what X-Forwarded-For says where no proxy is trusted, or not the one it came from', () => {
    expect(callerAddress(from('203.0.113.7', '198.51.100.1'), NO_PROXIES)).toBe('203.0.113.7');
    expect(callerAddress(from('203.0.113.7', '198.51.100.1'), proxies)).toBe('203.0.113.7');
  });

  it('is what the trusted proxy saw, whatever the caller wrote before that', () => {
    expect(callerAddress(from('10.1.2.3', '198.51.100.1'), proxies)).toBe('198.51.100.1');
    expect(callerAddress(from('10.1.2.3', '1.1.1.1, 2.2.2.2, 198.51.100.1'), proxies)).toBe('198.51.100.1');
    expect(callerAddress(from('::ffff:10.1.2.3', '10.9.9.9,198.51.100.1'), proxies)).toBe('198.51.100.1');
  });

  it('is what the first of several trusted proxies saw', () => {
    expect(callerAddress(from('10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.1, 10.4.5.6'), proxies)).toBe('198.51.100.1');
    expect(callerAddress(from('fd00::5%eth0', '2001:db8::9, fd12:3::1'), proxies)).toBe('2001:db8:0:0::/64');
  });

  it('is the proxy itself where that says nothing that could be an address', () => {
    expect(callerAddress(from('10.1.2.3'), proxies)).toBe('10.1.2.3');
    expect(callerAddress(from('10.1.2.3', ''), proxies)).toBe('10.1.2.3');
    expect(callerAddress(from('10.1.2.3', '198.51.100.1, unknown'), proxies)).toBe('10.1.2.3');
    expect(callerAddress(from('10.1.2.3', '198.51.100.1, _hidden, 10.4.5.6'), proxies)).toBe('10.4.5.6');
  });

  it('is found with the port that some proxies write', () => {
    expect(callerAddress(from('10.1.2.3', '198.51.100.1:4711'), proxies)).toBe('198.51.100.1');
    expect(callerAddress(from('10.1.2.3', '[2001:db8:1:2::9]:4711'), proxies)).toBe('2001:db8:1:2::/64');
    expect(callerAddress(from('10.1.2.3', '[2001:db8:1:2::9]'), proxies)).toBe('2001:db8:1:2::/64');
  });

  it('is looked for among few: a header of thousands costs no more', () => {
    const long = Array.from({ length: 5_000 }, () => '10.0.0.1').join(',');
    expect(callerAddress(from('10.1.2.3', `198.51.100.1,${long}`), proxies)).toBe('10.0.0.1');
  });
});

describe('the list of trusted proxies', () => {
  it.each(['', '10.0.0.0/33', '10.0.0.0/0', '::/0', '10.0.0/8', 'proxy.example', '10.0.0.1/8/8', '10.0.0.1/x', '2'])(
    'refuses %j',
    (entry) => expect(proxiesOf([entry])).toBeUndefined(),
  );
});
