import type { OffsetStatus } from '@carbon/contracts';

/** An allowed status change of an offset, and the column of its date. */
export interface StatusTransition {
  readonly from: OffsetStatus;
  readonly to: OffsetStatus;
  readonly date: 'processing_at' | 'completed_at' | 'failed_at';
}

/** All transitions; `completed` and `failed` are final. A trigger of the database refuses every other transition. */
export const TRANSITIONS: readonly StatusTransition[] = [
  { from: 'queued', to: 'processing', date: 'processing_at' },
  { from: 'queued', to: 'failed', date: 'failed_at' },
  { from: 'processing', to: 'completed', date: 'completed_at' },
  { from: 'processing', to: 'failed', date: 'failed_at' },
];

/** Thrown for a transition that does not exist: a bug. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition';
  constructor(from: OffsetStatus, to: OffsetStatus) {
    super(`An offset cannot move from ${from} to ${to}.`);
  }
}

/** Returns the transition between two states. @throws IllegalTransition */
export function transitionOf(from: OffsetStatus, to: OffsetStatus): StatusTransition {
  const transition = TRANSITIONS.find((each) => each.from === from && each.to === to);
  if (transition === undefined) throw new IllegalTransition(from, to);
  return transition;
}

/** Returns the transitions through these states, one after the other. @throws IllegalTransition */
export function transitionsAlong(from: OffsetStatus, ...through: readonly OffsetStatus[]): readonly StatusTransition[] {
  return through.map((to, place) => transitionOf(through[place - 1] ?? from, to));
}
