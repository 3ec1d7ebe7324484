/** The profiles that a run may have. */
export const PROFILES = ['smoke', 'ci', 'full'] as const;
export type Profile = (typeof PROFILES)[number];

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
  /** How long after a repair the system may take to serve again, ms. */
  readonly servesWithinMs: number;
  /** A POST that is answered later is a failure, ms. */
  readonly lateMs: number;
}

/** Any POST is answered within this, ms (docs/offsets.md). */
const LONGEST_POST_MS = 5_500;
/** Tests that run at the same time may stall the machine for seconds; only a POST that hangs is a failure there. */
const BESIDE_OTHER_TESTS_MS = 8_000;

/** A rate that leaves two cores room for the restarts of engines; beside two search nodes that is less. */
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
