import { Estimates } from './estimates.js';
import { Offsets } from './offsets.js';
import { type ClientOptions, retryLimitsOf } from './options.js';
import { Assets, Search } from './search.js';
import { Transport } from './transport.js';

const KEY_PATTERN = /^[\x21-\x7e]+$/;

/**
 * A client of the carbon service. It has no connection to close.
 *
 * @example
 * const carbon = new CarbonClient({ baseUrl: 'http://localhost:3000' });
 * const { id } = await carbon.offsets.create({ kgCO2e: 1234.5, customerRef: 'order 1042' });
 * const offset = await carbon.offsets.waitFor(id);
 */
export class CarbonClient {
  readonly offsets: Offsets;
  readonly estimates: Estimates;
  readonly pools: Search<'pools'>;
  readonly projects: Search<'projects'>;
  readonly assets: Assets;

  /** @throws RangeError for an invalid URL, key, timeout or number of tries */
  constructor(options: ClientOptions) {
    const { baseUrl, key, fetch = globalThis.fetch } = options;
    const checked = keyOf(key);
    const endpoint = { baseUrl: baseOf(baseUrl), key: () => checked, fetch };
    const transport = new Transport(endpoint, retryLimitsOf(options));
    this.offsets = new Offsets(transport);
    this.estimates = new Estimates(transport);
    this.pools = new Search(transport, 'pools');
    this.projects = new Search(transport, 'projects');
    this.assets = new Assets(transport);
  }
}

function baseOf(baseUrl: string | URL): string {
  const text = String(baseUrl);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RangeError('baseUrl must be a URL with http:// or https://');
  }
  // The message does not quote the URL, which may contain a secret.
  if (url.username !== '' || url.password !== '')
    throw new RangeError('baseUrl must not contain a user name or a password');
  if (url.search !== '' || url.hash !== '') throw new RangeError('baseUrl must not contain a query or a fragment');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Rejects an invalid header value without quoting it; the error of fetch would quote it. */
function keyOf(key: string | undefined): string | undefined {
  if (key === undefined || KEY_PATTERN.test(key)) return key;
  throw new RangeError('key must be visible ASCII characters without spaces');
}
