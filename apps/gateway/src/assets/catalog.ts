import { Upstream } from '../upstream/upstream.js';
import type { UpstreamNumbers } from '../upstream/upstream-numbers.js';

/** The app that searches the asset library. */
export class Catalog extends Upstream {
  constructor(url: string, timeoutMs: number, numbers?: UpstreamNumbers) {
    super({ name: 'catalog', url, timeoutMs, numbers });
  }
}
