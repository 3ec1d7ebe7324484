import { callerAddress, NO_PROXIES, networkOf, proxiesOf } from './caller-address.js';

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

  it.each(['', 'nobody', '1.2.3', '1.2.3.4.5', ':::', '1:2:3', '203.0.113.7 ', undefined])(
    'is nobody in particular for %j',
    (address) => {
      if (address !== undefined) expect(networkOf(address)).toBeUndefined();
      expect(callerAddress(from(address), proxies)).toBe('unknown');
    },
  );

  it('is never what X-Forwarded-For says where no proxy is trusted', () => {
    expect(callerAddress(from('203.0.113.7', '198.51.100.1'), NO_PROXIES)).toBe('203.0.113.7');
  });

  it.each([
    ['the caller, who is no proxy', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['what the proxy saw', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['what the proxy saw, whatever the caller wrote before', '10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['what a mapped proxy saw', '::ffff:10.1.2.3', '10.9.9.9,198.51.100.1', '198.51.100.1'],
    ['what the first of several saw', '10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.1, 10.4.5.6', '198.51.100.1'],
    ['what the first of IPv6 saw', 'fd00::5%eth0', '2001:db8::9, fd12:3::1', '2001:db8:0:0::/64'],
    ['the proxy that says nothing', '10.1.2.3', '', '10.1.2.3'],
    ['the proxy that says no address', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['the last proxy before no address', '10.1.2.3', '198.51.100.1, _hidden, 10.4.5.6', '10.4.5.6'],
    ['an address with a port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 address with a port', '10.1.2.3', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['an IPv6 address in brackets', '10.1.2.3', '[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['among few: a header of thousands', '10.1.2.3', `198.51.100.1${',10.0.0.1'.repeat(5_000)}`, '10.0.0.1'],
  ])('is %s', (_, remote, forwarded, address) => {
    expect(callerAddress(from(remote, forwarded), proxies)).toBe(address);
  });
});

describe('the list of trusted proxies', () => {
  it.each(['', '10.0.0.0/33', '10.0.0.0/0', '::/0', '10.0.0/8', 'proxy.example', '10.0.0.1/8/8', '10.0.0.1/x', '2'])(
    'refuses %j',
    (entry) => expect(proxiesOf([entry])).toBeUndefined(),
  );
});
