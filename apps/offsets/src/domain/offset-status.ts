import type { OffsetStatus } from '@carbon/contracts';

/** The allowed moves. Nothing leaves `completed` or `failed`. */
const MOVES: Readonly<Record<OffsetStatus, readonly OffsetStatus[]>> = {
  queued: ['processing', 'failed'],
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

/** Somebody tried to move an offset where it cannot go: a bug of ours. */
export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
  constructor(from: OffsetStatus, to: OffsetStatus) {
    super(`An offset cannot move from ${from} to ${to}.`);
  }
}

/** The state after an allowed move; whatever changes a status asks here. Throws {@link IllegalMove}. */
export function moved(from: OffsetStatus, to: OffsetStatus): OffsetStatus {
  if (!MOVES[from].includes(to)) throw new IllegalMove(from, to);
  return to;
}
