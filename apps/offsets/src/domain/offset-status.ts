import type { OffsetStatus } from '@carbon/contracts';

/** A move that an offset may make, and the column of its date. */
export interface OffsetMove {
  readonly from: OffsetStatus;
  readonly to: OffsetStatus;
  readonly date: 'processing_at' | 'completed_at' | 'failed_at';
}

/** All moves. Nothing leaves `completed` or `failed`. A trigger of the database refuses every other move. */
export const MOVES: readonly OffsetMove[] = [
  { from: 'queued', to: 'processing', date: 'processing_at' },
  { from: 'queued', to: 'failed', date: 'failed_at' },
  { from: 'processing', to: 'completed', date: 'completed_at' },
  { from: 'processing', to: 'failed', date: 'failed_at' },
];

/** Thrown for a move that does not exist: a bug. */
export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
  constructor(from: OffsetStatus, to: OffsetStatus) {
    super(`An offset cannot move from ${from} to ${to}.`);
  }
}

/** Returns the move between two states. @throws IllegalMove */
export function moveOf(from: OffsetStatus, to: OffsetStatus): OffsetMove {
  const move = MOVES.find((each) => each.from === from && each.to === to);
  if (move === undefined) throw new IllegalMove(from, to);
  return move;
}

/** Returns the moves that lead through these states, one after the other. @throws IllegalMove */
export function movesAlong(from: OffsetStatus, ...through: readonly OffsetStatus[]): readonly OffsetMove[] {
  return through.map((to, place) => moveOf(through[place - 1] ?? from, to));
}
