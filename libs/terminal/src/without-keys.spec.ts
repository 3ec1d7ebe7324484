import { withoutKeys } from './without-keys.js';

const SECRET = 'Zx9'.repeat(16);

describe('what is said of wrong arguments', () => {
  it.each([
    [`argument 'cl_live_0123456789ab_${SECRET}' is invalid`, "argument 'cl_live_…' is invalid"],
    [`unknown option '--key=cl_live_0123-${SECRET}'`, "unknown option '--key=cl_live_…'"],
    [`argument 'l_live_0123456789ab_${SECRET}' is invalid`, "argument 'l_live_0123456789ab_…' is invalid"],
    ["the key z5k8q0v2m4rn of 'cl_live'", "the key z5k8q0v2m4rn of 'cl_live'"],
  ])('repeats no key: %s', (said, shown) => {
    expect(withoutKeys(said)).toBe(shown);
  });
});
