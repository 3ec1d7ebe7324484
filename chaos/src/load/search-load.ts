import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@carbon/e2e/load';
import { z } from 'zod';
import type { Random } from '../random.js';

const PAUSE_MS = 200;
const asset = z.object({ id: z.string(), type: z.enum(['POOL', 'PROJECT']) });

/** An asset that a search answered without, ms of `performance.now()`. */
export interface Missing {
  readonly id: string;
  readonly at: number;
}

/** Searches for one published asset after the other: an answer without it is a loss, and 503 is none. */
export class SearchLoad {
  readonly missing: Missing[] = [];
  readonly unexpected: string[] = [];
  private readonly assets: readonly z.output<typeof asset>[];
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** @param library the file of the assets, one a line */
  constructor(
    private readonly get: (path: string) => Promise<Answer>,
    library: string,
    private readonly random: Random,
  ) {
    const lines = readFileSync(library, 'utf8').split('\n').filter(Boolean);
    this.assets = lines.map((line) => asset.parse(JSON.parse(line)));
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  /** Searches once, and says whether the asset was found. */
  async look(): Promise<boolean> {
    const { id, type } = this.random.pick(this.assets);
    const path = `/v1/assets/${type === 'POOL' ? 'pools' : 'projects'}`;
    const answer = await this.get(`${path}?criteria=${encodeURIComponent(`id:${id}`)}&fullTextSearch=&fields=id`);
    if (answer.kind === 'broken' || answer.status === 503) return false;
    if (answer.status !== 200) {
      this.unexpected.push(`search for ${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return false;
    }
    const isFound = Array.isArray(answer.body) && answer.body.length === 1;
    if (!isFound) this.missing.push({ id, at: performance.now() });
    return isFound;
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      await this.look();
      await sleep(PAUSE_MS);
    }
  }
}
