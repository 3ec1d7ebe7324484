import { OFFSET_STATUSES, type OffsetStatus } from '@carbon/contracts';
import { IllegalMove, MOVES, moveOf, movesAlong } from './offset-status.js';

const from = (status: OffsetStatus) => MOVES.filter((move) => move.from === status);

describe('the states of an offset', () => {
  it('can all be reached from queued', () => {
    const reached = new Set<OffsetStatus>(['queued']);
    // A set goes on to what is added while it is walked.
    for (const status of reached) for (const { to } of from(status)) reached.add(to);
    expect([...reached].sort()).toEqual([...OFFSET_STATUSES].sort());
  });

  it('are left for good in completed and failed, and nowhere else', () => {
    expect(OFFSET_STATUSES.filter((status) => from(status).length === 0)).toEqual(['completed', 'failed']);
  });

  it('come one after the other, never back', () => {
    for (const move of MOVES) {
      expect(OFFSET_STATUSES.indexOf(move.to)).toBeGreaterThan(OFFSET_STATUSES.indexOf(move.from));
    }
  });

  it('each have the one date at which they were reached', () => {
    for (const { to, date } of MOVES) expect(date).toBe(`${to}_at`);
  });

  it('are never left by a move that is not in the table, which is named', () => {
    for (const one of OFFSET_STATUSES) {
      for (const other of OFFSET_STATUSES) {
        const move = MOVES.find(({ from, to }) => from === one && to === other);
        if (move) expect(moveOf(one, other)).toBe(move);
        else expect(() => moveOf(one, other)).toThrow(new IllegalMove(one, other));
      }
    }
    expect(() => moveOf('completed', 'queued')).toThrow('An offset cannot move from completed to queued.');
  });

  it('may be passed through one after the other, each by a move of the table', () => {
    expect(movesAlong('queued', 'processing', 'completed')).toEqual([
      moveOf('queued', 'processing'),
      moveOf('processing', 'completed'),
    ]);
    expect(() => movesAlong('queued', 'completed')).toThrow(IllegalMove);
    expect(() => movesAlong('queued', 'processing', 'queued')).toThrow(new IllegalMove('processing', 'queued'));
  });
});
