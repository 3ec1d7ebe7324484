import type { Fault } from '../fault.js';
import { Random } from '../random.js';
import { faults as freeze } from './freeze.js';
import { faults as kafka } from './kafka.js';
import { faults as kill } from './kill.js';
import { faults as network } from './network.js';
import { faults as restart } from './rolling-restart.js';

const SINGLE = new Map([...freeze, ...kafka, ...kill, ...network, ...restart].map((fault) => [fault.name, fault]));

/** In each pair, the second fault disables what would compensate for the first. */
const PAIRS = [
  ['freeze-offsets', 'kill-postgres'],
  ['freeze-offsets', 'move-leaders'],
  ['freeze-broker', 'kill-all-offsets'],
  ['black-hole-kafka', 'kill-offsets'],
  ['black-hole-postgres', 'rolling-restart'],
  ['lost-answers-postgres', 'kill-kafka'],
  ['lost-answers-kafka', 'kill-all-offsets'],
  ['cut-kafka', 'reset-groups'],
] as const;

function single(name: string): Fault {
  const fault = SINGLE.get(name);
  if (fault === undefined) throw new Error(`There is no fault ${name} to pair.`);
  return fault;
}

function pairOf(one: Fault, other: Fault): Fault {
  return {
    name: `${one.name}-and-${other.name}`,
    does: `${one.does}; meanwhile ${other.does}`,
    times: { full: 1 },
    needs: [...new Set([...(one.needs ?? []), ...(other.needs ?? [])])],
    inject: async (context) => {
      // Each has its own random numbers, because their order is not deterministic.
      const both = [one, other].map((fault) => ({ fault, random: new Random(context.random.whole(0, 2 ** 31)) }));
      const ended = await Promise.allSettled(both.map(({ fault, random }) => fault.inject({ ...context, random })));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    },
  };
}

/** Simultaneous failures. */
export const faults: readonly Fault[] = PAIRS.map(([one, other]) => pairOf(single(one), single(other)));
