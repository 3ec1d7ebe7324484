import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';

const LOOK_EVERY_MS = 200;
const WITHIN_MS = 120_000;

const stats = z.object({ _all: z.object({ total: z.object({ merges: z.object({ current: z.int() }) }) }) });

/** Waits until OpenSearch has merged what indexing left behind: it would take the processor from either side by chance. */
export async function mergesOver(opensearchUrl: string, index: string): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const { body } = await request(`${opensearchUrl}/${index}/_stats/merge`);
    if (stats.parse(await body.json())._all.total.merges.current === 0) return;
    if (performance.now() > end) throw new Error(`${index} is still being merged after ${WITHIN_MS / 1000} s`);
    await pause(LOOK_EVERY_MS);
  }
}
