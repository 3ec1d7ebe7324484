import type { Service } from '../ask/service.js';
import type { CallOptions } from '../options.js';
import { readObject } from '../shape.js';
import type { Estimate, NewEstimate } from '../types.js';
import { ESTIMATE } from './shapes.js';

const PATH = '/v1/estimates';

/** Estimates: prices held for 24 hours, each for one offset of the same weight. */
export class Estimates {
  constructor(private readonly service: Service) {}

  /** Has a price held. Sent again after a lost answer it may hold a second one, which costs and reserves nothing. */
  async create(estimate: NewEstimate, options?: CallOptions): Promise<Estimate> {
    const question = { method: 'POST', path: PATH, body: estimate, expects: [201] } as const;
    return readObject<Estimate>(await this.service.ask(question, options), ESTIMATE);
  }

  /** One estimate. */
  async get(id: string, options?: CallOptions): Promise<Estimate> {
    const question = { method: 'GET', path: PATH, query: { id }, expects: [200] } as const;
    return readObject<Estimate>(await this.service.ask(question, options), ESTIMATE);
  }
}
