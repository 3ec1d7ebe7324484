import { Upstream } from '../upstream/upstream.js';

/** The app that searches the asset library. */
export class Catalog extends Upstream {
  constructor(url: string, timeoutMs: number) {
    super({ name: 'catalog', url, timeoutMs });
  }
}
