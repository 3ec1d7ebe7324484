import { OFFSET_STATUSES, type OffsetStatus } from '@carbon/contracts';

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

/** A move that the table allows; what changes a status does so by one of these. */
export interface Move {
  readonly from: OffsetStatus;
  readonly to: OffsetStatus;
}

/** The move, checked. Throws {@link IllegalMove}. */
export function move(from: OffsetStatus, to: OffsetStatus): Move {
  if (!MOVES[from].includes(to)) throw new IllegalMove(from, to);
  return { from, to };
}

/** The states that nothing leaves. */
export const TERMINAL: readonly OffsetStatus[] = OFFSET_STATUSES.filter((status) => MOVES[status].length === 0);
