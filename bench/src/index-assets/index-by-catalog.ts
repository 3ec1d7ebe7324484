import { setTimeout as pause } from 'node:timers/promises';
import type { BenchOptions } from '../bench-options.js';
import { INDEXED_WITHIN_MS, type Stage } from '../stage/stage.js';
import type { OpenSearchProbe } from './open-search.js';

const LOOK_EVERY_MS = 20;
/** A catalog that says it has caught up has nothing more to write. */
const AFTER_READY_MS = 5_000;

/** A library that the catalog has just built. */
export interface Built {
  readonly perSecond: number;
  /** The prefix of its indices. */
  readonly prefix: string;
}

/**
 * Starts a catalog with no index yet beside a full topic, and times it from the first documents it has written until all of
 * them can be searched. (What it does before the first, connecting and joining its group, is no matter of how many there are.)
 */
export async function indexByCatalog(
  stage: Stage,
  topicPrefix: string,
  probe: OpenSearchProbe,
  { assets, signal }: BenchOptions,
): Promise<Built> {
  const prefix = stage.freshPrefix();
  const starting = stage.start({
    topicPrefix,
    indexPrefix: prefix,
    apps: { catalog: { readyWithinMs: INDEXED_WITHIN_MS }, gateway: { instances: 0 }, offsets: { instances: 0 } },
  });
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const short = starting.then(async () => {
    await pause(AFTER_READY_MS, undefined, { signal: either });
    throw new Error('The catalog says that it has caught up, but not all assets are in its index.');
  });
  try {
    const perSecond = await Promise.race([timeWrites(probe, `${prefix}projects*`, assets, either), short]);
    return { perSecond, prefix };
  } finally {
    over.abort();
    await short.catch(() => {});
    await starting.then((system) => system.stop());
  }
}

async function timeWrites(probe: OpenSearchProbe, index: string, assets: number, signal: AbortSignal): Promise<number> {
  const giveUp = performance.now() + INDEXED_WITHIN_MS;
  let first: { readonly at: number; readonly written: number } | undefined;
  for (;;) {
    signal.throwIfAborted();
    const written = await probe.written(index);
    const at = performance.now();
    if (written > 0) first ??= { at, written };
    if (first !== undefined && written >= assets) {
      const found = await probe.refreshed(index);
      if (found !== assets) throw new Error(`Of ${assets} assets ${found} can be found.`);
      return (assets - first.written) / ((performance.now() - first.at) / 1000);
    }
    if (at > giveUp) throw new Error(`After ${INDEXED_WITHIN_MS / 1000} s ${written} of ${assets} assets are written.`);
    await pause(LOOK_EVERY_MS);
  }
}
