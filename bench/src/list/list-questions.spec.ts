import { offsetIdSchema } from '@carbon/contracts';
import { listQuestions } from './list-questions.js';
import { customerOf, idOf, timeOf } from './offset-store.js';

const OFFSETS = 20_000;
const questions = listQuestions(OFFSETS, ['a secret for the cursors of a test'], {});

describe('what is asked of a store of offsets', () => {
  it('is the same for a store of any size, many times differently', () => {
    const other = listQuestions(2_000_000, ['another secret'], {});
    expect(other.map(({ what, answer }) => [what, answer])).toEqual(
      questions.map(({ what, answer }) => [what, answer]),
    );
    const [one] = questions;
    expect(new Set(one?.requests.map(({ path }) => path)).size).toBeGreaterThan(4_000);
  });

  it('is of offsets that are there, and the same in every run', () => {
    const again = listQuestions(OFFSETS, ['a secret for the cursors of a test'], {});
    expect(JSON.stringify(again) === JSON.stringify(questions)).toBe(true);
    const there = new Set(Array.from({ length: OFFSETS }, (_, n) => idOf(n + 1)));
    const named = questions[0]?.requests.map(({ path }) => path.split('=')[1] ?? '') ?? [];
    expect(named.filter((id) => !there.has(id))).toEqual([]);
    expect(offsetIdSchema.parse(idOf(OFFSETS))).toBe(idOf(OFFSETS));
  });

  it('is of customers with a hundred offsets each', () => {
    const customers = Array.from({ length: OFFSETS }, (_, n) => customerOf(n + 1, OFFSETS));
    const counts = [...Map.groupBy(customers, (customer) => customer).values()].map(({ length }) => length);
    expect(new Set(counts)).toEqual(new Set([100]));
    expect(timeOf(1)).toBe('2026-01-01T00:00:01.000Z');
  });
});
