import { withoutKeys } from './without-keys.js';

describe('what is said of wrong arguments', () => {
  it('repeats no key, and nothing that a terminal would obey', () => {
    const key = `cl_live_0123456789ab_${'a'.repeat(49)}`;
    expect(withoutKeys(`error: unknown option '--key=${key}' \u001b[2J\n`)).toBe(
      "error: unknown option '--key=cl_live_…' \\u{1b}[2J\n",
    );
  });
});
