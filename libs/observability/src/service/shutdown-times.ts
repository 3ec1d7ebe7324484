/** The longest that each phase of an orderly shutdown may take after the grace period, in order, in milliseconds. */
export interface ShutdownPhases {
  /** A start that is not complete. */
  readonly startMs: number;
  /** HTTP requests in flight; each has its own, shorter deadline. */
  readonly drainMs: number;
  /** Background loops: one statement in the database. */
  readonly loopsMs: number;
  /** Consumers: a join that is in progress. */
  readonly joinMs: number;
  /** Consumers: the batch in progress, then leaving the group. Above the longest statement of a handler. */
  readonly leaveMs: number;
  /** Producers: the messages at the broker, which have this deadline. */
  readonly flushMs: number;
  /** Producers: the connection. */
  readonly disconnectMs: number;
  /** The management port, the stores, and a slow machine. */
  readonly marginMs: number;
}

/** The phases of every app. What joins, leaves and disconnects takes its bound from here. */
export const SHUTDOWN_PHASES: ShutdownPhases = {
  startMs: 1_000,
  drainMs: 6_000,
  loopsMs: 5_000,
  joinMs: 3_000,
  leaveMs: 6_000,
  flushMs: 5_000,
  disconnectMs: 2_000,
  marginMs: 2_000,
};

/**
 * Returns how long after SIGTERM an app exits whatever still hangs, in milliseconds: the grace period and every phase.
 * Whoever stops an app must wait longer before the kill.
 */
export function hardExitMs(graceMs: number, phases: ShutdownPhases = SHUTDOWN_PHASES): number {
  return Object.values(phases).reduce((sum: number, ms: number) => sum + ms, graceMs);
}
