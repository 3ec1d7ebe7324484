import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Proxies in a chain. */
const MAX_HOPS = 16;
/** The groups of 16 bits that name an IPv6 network: a client with one address has all 2^64 of its network. */
const NETWORK_GROUPS = 4;
/** The address of a request without one, such as one over a closed socket. */
const UNKNOWN = 'unknown';

/** The proxies whose X-Forwarded-For is trusted. */
export interface TrustedProxies {
  /** @param address as a socket or X-Forwarded-For gives it */
  trusts(address: string): boolean;
}

/** No proxy is trusted. */
export const NO_PROXIES: TrustedProxies = { trusts: () => false };

/** Returns the proxies of a list of addresses and networks, or undefined when an entry is neither. */
export function proxiesOf(entries: readonly string[]): TrustedProxies | undefined {
  const list = new BlockList();
  for (const entry of entries) if (!addNetwork(list, entry)) return undefined;
  return {
    // Without the zone, which the list does not take. It looks up an IPv4 address inside IPv6 as IPv4 by itself.
    trusts: (address) => isIP(address) !== 0 && list.check(address.split('%', 1)[0] ?? '', familyOf(address)),
  };
}

/** The parts of a request that determine its address. */
export type RequestOrigin = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * Returns the address, or the IPv6 network, that a request without a key counts as: that of its socket. Behind trusted
 * proxies it is the last address in X-Forwarded-For that is not one of them: a client can forge the addresses to the left of it.
 */
export function callerAddress({ headers, socket }: RequestOrigin, proxies: TrustedProxies): string {
  let address = socket.remoteAddress ?? '';
  if (proxies.trusts(address)) {
    for (const hop of hopsOf(headers['x-forwarded-for'])) {
      // An invalid entry ends the list: the proxy that forwarded it counts.
      if (networkOf(hop) === undefined) break;
      address = hop;
      if (!proxies.trusts(hop)) break;
    }
  }
  return networkOf(address) ?? UNKNOWN;
}

/**
 * Returns an IPv4 address as it is (also where it is written inside IPv6), and the /64 network of an IPv6 address. Two
 * spellings of one network give the same text. Returns undefined for what is not an address.
 */
export function networkOf(address: string): string | undefined {
  if (isIPv4(address)) return address;
  const plain = address.split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) return undefined;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  return `${groupsOf(plain).slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** Returns the hops, the last first. Node joins repeated headers with commas. */
function hopsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text.split(',').slice(-MAX_HOPS).reverse().map(withoutPort);
}

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** Returns the eight groups, without leading zeros. */
function groupsOf(address: string): string[] {
  const [front = '', back] = address.toLowerCase().split('::');
  const before = partsOf(front);
  const after = back === undefined ? [] : partsOf(back);
  const between = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...between, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}

/** An IPv4 address at the end takes two groups; their value does not matter to the network. */
function partsOf(text: string): string[] {
  return text.split(':').flatMap((part) => (part === '' ? [] : part.includes('.') ? ['0', '0'] : [part]));
}

function addNetwork(list: BlockList, entry: string): boolean {
  const [address = '', bits, more] = entry.split('/');
  const width = { 4: 32, 6: 128 }[isIP(address)];
  if (width === undefined || more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  const length = bits === undefined ? width : Number(bits);
  if (length < 1 || length > width) return false;
  list.addSubnet(address, length, familyOf(address));
  return true;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
