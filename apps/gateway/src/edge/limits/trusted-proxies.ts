import { BlockList, isIP } from 'node:net';
import { type Setting, setting } from '@carbon/config';
import { z } from 'zod';

/** The proxies whose word about who is behind them is taken. */
export interface TrustedProxies {
  /** @param address as a socket or X-Forwarded-For gives it */
  trusts(address: string): boolean;
}

/** Nobody's word is taken. */
export const NO_PROXIES: TrustedProxies = { trusts: () => false };

const EXPECTED = 'must be addresses or networks (10.0.0.0/8, fd00::/8), separated by commas';

/** A list of addresses and networks. */
export function trustedProxies(description: string): Setting<TrustedProxies> {
  const schema = z.string().transform((list, context) => {
    const proxies = proxiesOf(list.split(',').map((entry) => entry.trim()));
    if (proxies !== undefined) return proxies;
    context.addIssue({ code: 'custom', message: EXPECTED });
    return z.NEVER;
  });
  return setting(schema, { description, example: '10.0.0.0/8,fd00::/8' });
}

/** @returns undefined when one of them is neither an address nor a network */
export function proxiesOf(entries: readonly string[]): TrustedProxies | undefined {
  const list = new BlockList();
  for (const entry of entries) if (!add(list, entry)) return undefined;
  return {
    // Without the zone, which the list does not take. An IPv4 address inside IPv6 it looks up as IPv4 by itself.
    trusts: (address) => isIP(address) !== 0 && list.check(address.split('%', 1)[0] ?? '', familyOf(address)),
  };
}

function add(list: BlockList, entry: string): boolean {
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
