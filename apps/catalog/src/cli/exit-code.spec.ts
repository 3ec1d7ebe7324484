import { VERDICT_EXIT } from './exit-code.js';
import { type Findings, verdictOf } from './verify/verify-library.js';

describe('how verify ends', () => {
  const exitCode = (found: Partial<Findings>) => {
    const nothing = { generation: '1a2b3c4d-1', assets: 3, differences: [], unnamed: 0, more: 0, undecided: 0 };
    return VERDICT_EXIT[verdictOf({ ...nothing, ...found })];
  };

  it('is with 0 when it holds', () => expect(exitCode({})).toBe(0));

  it('is with 1 when something differs, whatever could not be compared', () => {
    expect(exitCode({ more: 1 })).toBe(1);
    expect(exitCode({ differences: [{ kind: 'missing', id: 'pool_a', detail: '' }], undecided: 2 })).toBe(1);
  });

  it('is with 3 when nothing differs but something could not be compared', () => {
    expect(exitCode({ undecided: 1 })).toBe(3);
  });
});
