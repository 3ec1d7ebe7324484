import type { Fault, Need } from './fault.js';
import type { Random } from './random.js';
import type { Profile } from './system/shape.js';

/** A fault that this machine or profile does not support, with the reason. */
export interface LeftOut {
  readonly fault: string;
  readonly lacks: readonly Need[];
}

/** The faults of a run in order. */
export interface Schedule {
  readonly faults: readonly Fault[];
  readonly leftOut: readonly LeftOut[];
}

/** Returns every fault as often as the profile has it, in an order of the seed, without the unsupported ones. */
export function scheduleOf(
  faults: readonly Fault[],
  profile: Profile,
  has: ReadonlySet<Need>,
  random: Random,
): Schedule {
  const wanted = faults.filter(({ times }) => (times[profile] ?? 0) > 0);
  const lacks = ({ needs = [] }: Fault) => needs.filter((need) => !has.has(need));
  const able = wanted.filter((fault) => lacks(fault).length === 0);
  const leftOut = wanted.filter((fault) => lacks(fault).length > 0);
  return {
    faults: random.shuffle(able.flatMap((fault) => Array<Fault>(fault.times[profile] ?? 0).fill(fault))),
    leftOut: leftOut.map((fault) => ({ fault: fault.name, lacks: lacks(fault) })),
  };
}
