import { Service } from './ask/service.js';
import { Assets } from './operations/assets.js';
import { Estimates } from './operations/estimates.js';
import { Offsets } from './operations/offsets.js';
import { Search } from './operations/search.js';
import { type ClientOptions, patienceOf } from './options.js';

const KEY_FORM = /^[\x21-\x7e]+$/;

/**
 * A client of the carbon service. It holds no connection and needs no closing.
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

  /** @throws RangeError for a URL, a key, a time or a count that is none */
  constructor(options: ClientOptions) {
    const { baseUrl, key, fetch = globalThis.fetch } = options;
    const checked = keyOf(key);
    const service = new Service({ baseUrl: baseOf(baseUrl), key: () => checked, fetch }, patienceOf(options));
    this.offsets = new Offsets(service);
    this.estimates = new Estimates(service);
    this.pools = new Search(service, 'pools');
    this.projects = new Search(service, 'projects');
    this.assets = new Assets(service);
  }
}

function baseOf(baseUrl: string | URL): string {
  const text = String(baseUrl);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RangeError('baseUrl must be a URL with http:// or https://');
  }
  // Not repeated in the sentence: what stands there may be secret.
  if (url.username !== '' || url.password !== '') throw new RangeError('baseUrl must not hold a name or a password');
  if (url.search !== '' || url.hash !== '') throw new RangeError('baseUrl must not hold a query or a fragment');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** What is no header value is refused here, where the sentence does not repeat it as the platform's would. */
function keyOf(key: string | undefined): string | undefined {
  if (key === undefined || KEY_FORM.test(key)) return key;
  throw new RangeError('key must be visible ASCII characters without spaces');
}
