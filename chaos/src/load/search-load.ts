import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@carbon/e2e/load';
import { LIBRARY } from '@carbon/local';
import { z } from 'zod';
import type { Random } from '../random.js';

const PAUSE_MS = 200;
const asset = z.object({ id: z.string(), type: z.enum(['POOL', 'PROJECT']) });

/** The facts about an asset that a search needs. */
export type Asset = z.output<typeof asset>;

/** An asset that a search did not find, ms of `performance.now()`. */
export interface Missing {
  readonly id: string;
  readonly at: number;
}

/** Searches for one published asset after the other: a response without it is a loss, but 503 is not. */
export class SearchLoad {
  readonly missing: Missing[] = [];
  readonly unexpected: string[] = [];
  private readonly assets: readonly Asset[];
  private readonly ending = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly get: (path: string) => Promise<Answer>,
    private readonly random: Random,
  ) {
    const lines = readFileSync(LIBRARY, 'utf8').split('\n').filter(Boolean);
    this.assets = lines.map((line) => asset.parse(JSON.parse(line)));
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  /** Searches once, and returns whether the asset was found. @param wanted one of the library by default */
  async look(wanted: Asset = this.random.pick(this.assets)): Promise<boolean> {
    const answer = await this.search(wanted);
    if (answer === false) this.missing.push({ id: wanted.id, at: performance.now() });
    return answer === true;
  }

  /** Returns whether an asset is found; undefined without a response. */
  async search({ id, type }: Asset): Promise<boolean | undefined> {
    const path = `/v1/assets/${type === 'POOL' ? 'pools' : 'projects'}`;
    const answer = await this.get(`${path}?criteria=${encodeURIComponent(`id:${id}`)}&fullTextSearch=&fields=id`);
    if (answer.kind === 'broken' || answer.status === 503) return undefined;
    if (answer.status === 200) return Array.isArray(answer.body) && answer.body.length === 1;
    this.unexpected.push(`search for ${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return undefined;
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      await this.look();
      await sleep(PAUSE_MS);
    }
  }
}
