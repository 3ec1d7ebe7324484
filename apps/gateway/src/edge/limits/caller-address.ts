import type { IncomingMessage } from 'node:http';
import { networkOf } from './network-of.js';
import type { TrustedProxies } from './trusted-proxies.js';

/** So many proxies may stand one behind the other. */
const HOPS = 16;
/** Whom a request without an address counts as, such as one over a socket that is gone. */
const NOBODY = 'unknown';

/** What a request says of where it comes from. */
export type Origin = Pick<IncomingMessage, 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/**
 * Whom a request counts as when it has no key: the address of its socket, or its network in IPv6. Where that is a trusted
 * proxy it is the one that the proxy saw, the last in X-Forwarded-For, and so on to the first that is not trusted: what
 * stands further left anybody may have written.
 */
export function callerAddress({ headers, socket }: Origin, proxies: TrustedProxies): string {
  let address = socket.remoteAddress ?? '';
  if (proxies.trusts(address)) {
    for (const hop of hopsOf(headers['x-forwarded-for'])) {
      // What is no address no proxy has seen: the one that passed it on answers for it.
      if (networkOf(hop) === undefined) break;
      address = hop;
      if (!proxies.trusts(hop)) break;
    }
  }
  return networkOf(address) ?? NOBODY;
}

/** The last first. Node joins repeated headers with commas. */
function hopsOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text.split(',').slice(-HOPS).reverse().map(withoutPort);
}

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}
