import { OFFSET_STATUSES } from '@carbon/contracts';
import { IllegalMove, moved } from './offset-status.js';

const allowed = (from: (typeof OFFSET_STATUSES)[number]) =>
  OFFSET_STATUSES.filter((to) => {
    try {
      return moved(from, to) === to;
    } catch {
      return false;
    }
  });

describe('the states of an offset', () => {
  it('can all be reached from queued', () => {
    const reached = new Set(['queued', ...allowed('queued'), ...allowed('queued').flatMap(allowed)]);
    expect([...reached].sort()).toEqual([...OFFSET_STATUSES].sort());
  });

  it('are left for good in completed and failed, and nowhere else', () => {
    expect(OFFSET_STATUSES.filter((from) => allowed(from).length === 0)).toEqual(['completed', 'failed']);
  });

  it('allow these moves and no other', () => {
    expect(OFFSET_STATUSES.map((from) => [from, allowed(from)])).toEqual([
      ['queued', ['processing', 'failed']],
      ['processing', ['completed', 'failed']],
      ['completed', []],
      ['failed', []],
    ]);
  });

  it('name the move that is refused', () => {
    expect(() => moved('completed', 'queued')).toThrow(IllegalMove);
    expect(() => moved('completed', 'queued')).toThrow('An offset cannot move from completed to queued.');
  });
});
