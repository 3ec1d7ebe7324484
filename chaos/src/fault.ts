import type { OffsetLoad } from './load/offset-load.js';
import type { SearchLoad } from './load/search-load.js';
import type { Random } from './random.js';
import type { ChaosSystem } from './system/chaos-system.js';
import type { Profile } from './system/shape.js';

/** What a fault may need beyond one of each engine. A run without it leaves the fault out and says so. */
export type Need = 'three brokers' | 'mounts' | 'libfaketime';

/** What a fault works with. */
export interface FaultContext {
  readonly system: ChaosSystem;
  /** The clients' load, for offsets beside the steady ones. */
  readonly load: OffsetLoad;
  /** The clients' searches, for assets beside those of the library. */
  readonly search: SearchLoad;
  /** The only source of chance, so that a seed repeats a run. */
  readonly random: Random;
  /** Waits under load; rejects when the run is interrupted. */
  pause(ms: number): Promise<void>;
}

/** One kind of failure: how it is brought about, and how it ends. */
export interface Fault {
  /** As on the command line and in reports, such as `kill-gateway`. */
  readonly name: string;
  /** One sentence for the report. */
  readonly does: string;
  /** How often each profile injects it. */
  readonly times: Readonly<Partial<Record<Profile, number>>>;
  readonly needs?: readonly Need[];
  /** Breaks something and repairs it. Resolves when nothing is broken any more; the run then measures the recovery. */
  inject(context: FaultContext): Promise<void>;
}
