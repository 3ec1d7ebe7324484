import { assetSchema } from '@carbon/contracts';
import { projects } from './projects.js';

const some = [...projects(4_000)];

describe('the projects that the library is filled with', () => {
  it('are sound assets, each with an id of its own', () => {
    expect(some.map((project) => assetSchema.parse(project))).toEqual(some);
    expect(new Set(some.map(({ id }) => id)).size).toBe(4_000);
  });

  it('are the same every time, however many are asked for', () => {
    expect([...projects(300)]).toEqual(some.slice(0, 300));
  });

  it('are spread over sources, countries and ratings as the starter library is', () => {
    const share = (test: (project: (typeof some)[number]) => boolean) => some.filter(test).length / some.length;
    expect(share(({ source }) => source === 'VERRA')).toBeCloseTo(189 / 289, 1);
    expect(share(({ country }) => country === 'India')).toBeCloseTo(63 / 289, 1);
    expect(share(({ rating = 0 }) => rating >= 3)).toBeCloseTo(0.5, 1);
    expect(new Set(some.map(({ name }) => name)).size).toBeGreaterThan(3_300);
  });
});
