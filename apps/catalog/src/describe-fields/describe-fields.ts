import { Injectable } from '@nestjs/common';
import { type KindSchema, kindSchema } from './kind-schema.js';
import { LibraryFigures } from './library-figures.js';

/** The fields that criteria may name, of both types of asset. */
export interface LibrarySchema {
  readonly pools: KindSchema;
  readonly projects: KindSchema;
}

/** Tells what can be asked of the library, and what stands in it. */
@Injectable()
export class DescribeFields {
  constructor(private readonly figures: LibraryFigures) {}

  /** @throws TransientFault when the library cannot be asked now */
  async run(): Promise<LibrarySchema> {
    const { POOL, PROJECT } = await this.figures.count();
    return {
      pools: kindSchema('POOL', POOL.figures, POOL.madeAt),
      projects: kindSchema('PROJECT', PROJECT.figures, PROJECT.madeAt),
    };
  }
}
