import type { Service } from '../ask/service.js';
import type { CallOptions } from '../options.js';
import { readObject } from '../shape.js';
import type { LibrarySchema } from '../types.js';
import { LIBRARY_SCHEMA } from './shapes.js';

/** The asset library as a whole. */
export class Assets {
  constructor(private readonly service: Service) {}

  /** What can be asked of pools and of projects: the fields, their operators and their commonest values. */
  async schema(options?: CallOptions): Promise<LibrarySchema> {
    const question = { method: 'GET', path: '/v1/assets/schema', expects: [200] } as const;
    return readObject<LibrarySchema>(await this.service.ask(question, options), LIBRARY_SCHEMA);
  }
}
