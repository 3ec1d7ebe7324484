import { temporaryDir } from '@carbon/local';
import { CommandError } from '@carbon/terminal';
import type { Fault } from './fault.js';
import { loadFaults } from './load-modules.js';
import { Random } from './random.js';
import { type Outcome, runUnderLoad } from './run-under-load.js';
import { type LeftOut, scheduleOf } from './schedule.js';
import { ChaosSystem } from './system/chaos-system.js';
import { type Profile, SHAPES, type Shape } from './system/shape.js';
import { LIBRARY, withEngines } from './system/with-engines.js';

/** The options of a run. */
export interface ProfileOptions {
  readonly profile: Profile;
  readonly seed: number;
  /** Whether small disks may be mounted, which can be filled. */
  readonly smallDisks: boolean;
  /** Only these faults, once per mention; those of the profile by default. */
  readonly only?: readonly string[];
  readonly signal: AbortSignal;
  readonly say: (step: string) => void;
}

/** One run of a profile. */
export interface ProfileRun extends Outcome {
  readonly leftOut: readonly LeftOut[];
}

/** Starts a system, injects the faults of a profile under load, and checks the clients' observations. */
export async function runProfile(options: ProfileOptions): Promise<ProfileRun> {
  const { profile, seed, smallDisks, signal, say } = options;
  // An external registry uses the other path through the offsets service, so every second seed has one.
  const shape: Shape = { ...SHAPES[profile], registry: seed % 2 === 1 };
  const folder = await temporaryDir();
  try {
    return await withEngines({ dir: folder.dir, shape, smallDisks, say }, async ({ engines, clocks, needs }) => {
      const { faults, leftOut } = scheduleOf(await chosen(options), profile, needs, new Random(seed));
      if (options.only !== undefined && leftOut.length > 0)
        throw new CommandError(leftOut.map(({ fault, lacks }) => `${fault} needs ${lacks.join(' and ')}`).join('; '));
      say('starting the apps');
      const system = await ChaosSystem.start({ dir: folder.dir, engines, clocks, shape, name: 'chaos' });
      try {
        const outcome = await runUnderLoad({ system, schedule: faults, seed, library: LIBRARY, signal, say });
        return { ...outcome, leftOut };
      } finally {
        say('stopping everything');
        await system.stop();
      }
    });
  } finally {
    folder.remove();
  }
}

async function chosen({ profile, only }: ProfileOptions): Promise<readonly Fault[]> {
  const faults = await loadFaults();
  if (only === undefined) return faults;
  const times = (fault: Fault) => only.filter((name) => name === fault.name).length;
  return faults.map((fault) => ({ ...fault, times: { [profile]: times(fault) } }));
}
