import { Logger } from '@nestjs/common';
import type { LibraryIndex } from './library-index.js';
import type { LibraryState } from './library-state.js';
import { frontOf, outlived, superseded } from './precedence.js';

/**
 * Sees to the generations whose place another has taken: writes down when that was seen, and removes each so long after.
 * Until then it is fed, and can be chosen again.
 */
export class RetireGenerations {
  private readonly logger = new Logger('indexing');

  constructor(
    private readonly library: LibraryIndex,
    private readonly keptMs: number,
  ) {}

  async run(state: LibraryState): Promise<void> {
    await this.library.giveWay(state);
    const live = frontOf(state);
    if (live === undefined) return;
    const now = new Date();
    for (const one of superseded(state)) {
      if (!(await this.library.retire(one, live, now))) return;
      this.logger.log('A generation is retired', { generation: one.name, waitMs: this.keptMs });
    }
    for (const one of outlived(state, now.getTime(), this.keptMs)) await this.library.remove(one, live);
  }
}
