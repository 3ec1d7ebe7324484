/** The profiles of a run. */
export const PROFILES = ['smoke', 'ci', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

/** The size of a system, and its load. */
export interface Shape {
  readonly brokers: 1 | 3;
  readonly searchNodes: 1 | 2;
  readonly gateways: number;
  readonly offsets: number;
  readonly catalogs: number;
  /** Offsets posted per second. */
  readonly perSecond: number;
  /** Concurrent requests. */
  readonly inFlight: number;
  /** Whether an external registry retires the credits. */
  readonly registry: boolean;
  /** The time in which everything must end after the load, ms. */
  readonly drainMs: number;
  /** The time in which the system must serve again after a repair, ms. */
  readonly servesWithinMs: number;
  /** A POST that takes longer is a failure, ms. */
  readonly lateMs: number;
}

/** Any POST gets a response within this time, ms (docs/offsets.md). */
const LONGEST_POST_MS = 5_500;
/** Concurrent tests may stall the machine for seconds, so only a POST that hangs is a failure there. */
const BESIDE_OTHER_TESTS_MS = 8_000;

/** A rate that leaves two cores capacity for restarts of engines; with two search nodes that is less. */
const LOAD = { perSecond: 40, inFlight: 128, servesWithinMs: 120_000 } as const;

/** The system of each profile. */
export const SHAPES: Readonly<Record<Profile, Omit<Shape, 'registry'>>> = {
  smoke: {
    brokers: 1,
    searchNodes: 1,
    ...{ gateways: 1, offsets: 2, catalogs: 1 },
    ...LOAD,
    drainMs: 60_000,
    lateMs: BESIDE_OTHER_TESTS_MS,
  },
  ci: {
    brokers: 3,
    searchNodes: 1,
    ...{ gateways: 2, offsets: 2, catalogs: 1 },
    ...LOAD,
    drainMs: 120_000,
    lateMs: LONGEST_POST_MS,
  },
  full: {
    brokers: 3,
    searchNodes: 2,
    ...{ gateways: 2, offsets: 2, catalogs: 2 },
    ...LOAD,
    perSecond: 25,
    drainMs: 180_000,
    lateMs: LONGEST_POST_MS,
  },
};
