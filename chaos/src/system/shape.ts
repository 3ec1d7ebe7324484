import type { Profile } from '../fault.js';

/** How large a system is, and how hard it is used. */
export interface Shape {
  readonly brokers: 1 | 3;
  readonly searchNodes: 1 | 2;
  readonly gateways: number;
  readonly offsets: number;
  readonly catalogs: number;
  /** Offsets posted in a second. */
  readonly perSecond: number;
  /** Requests at one time. */
  readonly inFlight: number;
  /** Whether an external registry retires the credits. */
  readonly registry: boolean;
  /** How long everything may take to end after the load, ms. */
  readonly drainMs: number;
}

/** The system of each profile. A rate of 40 leaves two cores room for the restarts of engines. */
export const SHAPES: Readonly<Record<Profile, Omit<Shape, 'registry'>>> = {
  smoke: { brokers: 1, searchNodes: 1, ...{ gateways: 1, offsets: 2, catalogs: 1 }, ...load(40), drainMs: 60_000 },
  ci: { brokers: 3, searchNodes: 1, ...{ gateways: 2, offsets: 2, catalogs: 1 }, ...load(40), drainMs: 120_000 },
  full: { brokers: 3, searchNodes: 2, ...{ gateways: 2, offsets: 2, catalogs: 2 }, ...load(40), drainMs: 180_000 },
};

function load(perSecond: number) {
  return { perSecond, inFlight: 128 };
}
