import { Upstream, type UpstreamPlace } from '../upstream/upstream.js';
import type { UpstreamNumbers } from '../upstream/upstream-numbers.js';

/** The app that searches the asset library. */
export class Catalog extends Upstream {
  constructor(place: UpstreamPlace, numbers?: UpstreamNumbers) {
    super({ name: 'catalog', ...place, numbers });
  }
}
