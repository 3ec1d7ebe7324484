import { temporaryDir } from '@carbon/local';
import { CommandError } from '@carbon/terminal';
import type { Fault, Need } from './fault.js';
import { loadFaults } from './load-modules.js';
import { Random } from './random.js';
import { type Outcome, runUnderLoad } from './run-under-load.js';
import { ChaosSystem } from './system/chaos-system.js';
import { type Profile, SHAPES, type Shape } from './system/shape.js';
import { withEngines } from './system/with-engines.js';

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

/** A fault that this machine or profile does not support, with the reason. */
interface SkippedFault {
  readonly fault: string;
  readonly lacks: readonly Need[];
}

/** One run of a profile. */
export interface ProfileRun extends Outcome {
  readonly leftOut: readonly SkippedFault[];
}

/** Starts a system, injects the faults of a profile under load, and checks the clients' observations. */
export async function runProfile(options: ProfileOptions): Promise<ProfileRun> {
  const { profile, seed, smallDisks, signal, say } = options;
  // An external registry uses the other path through the offsets service, so every second seed has one.
  const shape: Shape = { ...SHAPES[profile], registry: seed % 2 === 1 };
  using folder = await temporaryDir();
  return await withEngines({ dir: folder.dir, shape, smallDisks, say }, async ({ engines, clocks, needs }) => {
    const { faults, leftOut } = scheduleOf(await chosenFaults(options), profile, needs, new Random(seed));
    if (options.only !== undefined && leftOut.length > 0)
      throw new CommandError(leftOut.map(({ fault, lacks }) => `${fault} needs ${lacks.join(' and ')}`).join('; '));
    say('starting the apps');
    const system = await ChaosSystem.start({ dir: folder.dir, engines, clocks, shape, name: 'chaos' });
    try {
      const outcome = await runUnderLoad({ system, schedule: faults, seed, signal, say });
      return { ...outcome, leftOut };
    } finally {
      say('stopping everything');
      await system.stop();
    }
  });
}

async function chosenFaults({ profile, only }: ProfileOptions): Promise<readonly Fault[]> {
  const faults = await loadFaults();
  if (only === undefined) return faults;
  const times = (fault: Fault) => only.filter((name) => name === fault.name).length;
  return faults.map((fault) => ({ ...fault, times: { [profile]: times(fault) } }));
}

/** The faults of a run in order. */
interface Schedule {
  readonly faults: readonly Fault[];
  readonly leftOut: readonly SkippedFault[];
}

/** Returns every fault as often as the profile has it, in an order of the seed, without the unsupported ones. */
function scheduleOf(faults: readonly Fault[], profile: Profile, has: ReadonlySet<Need>, random: Random): Schedule {
  const wanted = faults.filter(({ times }) => (times[profile] ?? 0) > 0);
  const lacks = ({ needs = [] }: Fault) => needs.filter((need) => !has.has(need));
  const able = wanted.filter((fault) => lacks(fault).length === 0);
  const leftOut = wanted.filter((fault) => lacks(fault).length > 0);
  return {
    faults: random.shuffle(able.flatMap((fault) => Array<Fault>(fault.times[profile] ?? 0).fill(fault))),
    leftOut: leftOut.map((fault) => ({ fault: fault.name, lacks: lacks(fault) })),
  };
}
