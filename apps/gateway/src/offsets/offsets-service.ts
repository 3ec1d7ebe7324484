import { Upstream } from '../upstream/upstream.js';

/** The app that knows the recorded offsets. */
export class OffsetsService extends Upstream {
  constructor(url: string, timeoutMs: number) {
    super({ name: 'offsets service', url, timeoutMs });
  }
}
