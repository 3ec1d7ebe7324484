import type { OffsetLoad } from './load/offset-load.js';
import type { SearchLoad } from './load/search-load.js';
import type { Random } from './random.js';
import type { ChaosSystem } from './system/chaos-system.js';
import type { Profile } from './system/shape.js';

/** The requirements of a fault beyond one of each engine. A run without them skips the fault and reports it. */
export type Need = 'three brokers' | 'mounts' | 'libfaketime';

/** The environment of a fault. */
export interface FaultContext {
  readonly system: ChaosSystem;
  /** The clients' load, for additional offsets. */
  readonly load: OffsetLoad;
  /** The clients' searches, for assets besides those of the library. */
  readonly search: SearchLoad;
  /** The only source of randomness, so that a seed reproduces a run. */
  readonly random: Random;
  /** Waits under load; rejects when the run is interrupted. */
  pause(ms: number): Promise<void>;
}

/** One kind of failure: how it is injected, and how it is repaired. */
export interface Fault {
  /** As on the command line and in reports, such as `kill-gateway`. */
  readonly name: string;
  /** One sentence for the report. */
  readonly does: string;
  /** How often each profile injects it. */
  readonly times: Readonly<Partial<Record<Profile, number>>>;
  readonly needs?: readonly Need[];
  /** Breaks something and repairs it. Resolves when everything is repaired; the run then measures the recovery. */
  inject(context: FaultContext): Promise<void>;
}
