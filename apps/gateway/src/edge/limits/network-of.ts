import { isIPv4, isIPv6 } from 'node:net';

/** So many groups of 16 bits of an IPv6 address name a network: whoever has one address has the 2^64 beside it. */
const NETWORK_GROUPS = 4;

/**
 * Whom an address stands for: itself in IPv4 (also where it is written inside IPv6), its network of 64 bits in IPv6.
 * Undefined for what is no address. Two spellings of one network are the same text.
 */
export function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address;
  const plain = address.split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) return undefined;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  return `${groupsOf(plain).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups, without leading zeros. */
function groupsOf(address: string): string[] {
  const [front = '', back] = address.toLowerCase().split('::');
  const before = partsOf(front);
  const after = back === undefined ? [] : partsOf(back);
  const between = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...between, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}

/** An address in dots at the end stands for two groups; which ones does not matter to the network. */
function partsOf(text: string): string[] {
  return text.split(':').flatMap((part) => (part === '' ? [] : part.includes('.') ? ['0', '0'] : [part]));
}
