import { join } from 'node:path';
import { DownloadError, fetchLibfaketime } from '@carbon/local';
import type { Need } from '../fault.js';
import { Clocks } from './clocks.js';
import { Engines } from './engines.js';
import type { Shape } from './shape.js';

/** The environment of a run. */
export interface OnEngines {
  readonly engines: Engines;
  readonly clocks: Clocks;
  /** What faults may use. */
  readonly needs: ReadonlySet<Need>;
}

/** Starts engines in a folder, runs `work` and stops them in any case. */
export async function withEngines<T>(
  { dir, shape, smallDisks, say }: { dir: string; shape: Shape; smallDisks: boolean; say: (step: string) => void },
  work: (on: OnEngines) => Promise<T>,
): Promise<T> {
  const libfaketime = await fetchLibfaketime().catch((error: unknown) => {
    if (!(error instanceof DownloadError)) throw error;
    return undefined;
  });
  const clocks = new Clocks(join(dir, 'clocks'), libfaketime?.multithreaded);
  const engines = await Engines.start({ dir, shape, clocks, smallDisks, say: (engine) => say(`starting ${engine}`) });
  const needs = new Set<Need>();
  if (shape.brokers === 3) needs.add('three brokers');
  if (libfaketime !== undefined) needs.add('libfaketime');
  if (smallDisks) needs.add('mounts');
  try {
    return await work({ engines, clocks, needs });
  } finally {
    await engines.stop();
  }
}
