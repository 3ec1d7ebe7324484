import { Strays, Suspects } from './find-suspects.js';

describe('suspects', () => {
  it('are at most so many, the rest counted', () => {
    const suspects = new Suspects(2);
    for (const id of ['pool_a', 'pool_b', 'pool_a', 'pool_c', 'pool_d']) suspects.add(id);
    expect([[...suspects.ids], suspects.more]).toEqual([['pool_a', 'pool_b'], 2]);
  });

  it('make room in the next round when they were looked at, but for those that could not be told', () => {
    const cleared = new Set<string>();
    const first = new Suspects(2, cleared);
    for (const id of ['pool_a', 'pool_b', 'pool_c']) first.add(id);
    first.clear(new Set(['pool_b']));
    const second = new Suspects(2, cleared);
    for (const id of ['pool_a', 'pool_b', 'pool_c']) second.add(id);
    expect([[...second.ids], second.more]).toEqual([['pool_b', 'pool_c'], 0]);
  });
});

describe('documents in the wrong index', () => {
  it('are all counted, and only so many kept', () => {
    const strays = new Strays(2);
    for (let n = 0; n < 1_000; n += 1) strays.add(`pool_${n}`, 'projects-1a2b3c4d-1');
    expect(strays.count).toBe(1_000);
    expect(strays.named.map(({ id }) => id)).toEqual(['pool_0', 'pool_1']);
  });
});
