import { ESTIMATE } from './generated/shapes.js';
import type { CallOptions } from './options.js';
import { readObject } from './response.js';
import type { Transport } from './transport.js';
import type { Estimate, NewEstimate } from './types.js';

const PATH = '/v1/estimates';

/** Estimates: prices valid for 24 hours, each for one offset of the same weight. */
export class Estimates {
  constructor(private readonly transport: Transport) {}

  /** Creates an estimate. A retry may create a second one, which costs and reserves nothing. */
  async create(estimate: NewEstimate, options?: CallOptions): Promise<Estimate> {
    const request = { method: 'POST', path: PATH, body: estimate, expectedStatuses: [201] } as const;
    return readObject<Estimate>(await this.transport.send(request, options), ESTIMATE);
  }

  /** Returns an estimate. */
  async get(id: string, options?: CallOptions): Promise<Estimate> {
    const request = { method: 'GET', path: PATH, query: { id }, expectedStatuses: [200] } as const;
    return readObject<Estimate>(await this.transport.send(request, options), ESTIMATE);
  }
}
