import { invalidPathOf } from './open-input.js';

it.each([
  ['assets.ndjson', 'assets.invalid.ndjson'],
  ['data/more.ndjson', 'data/more.invalid.ndjson'],
  ['lines.txt', 'lines.txt.invalid.ndjson'],
])('puts the bad lines of %s into %s', (path, invalid) => {
  expect(invalidPathOf(path)).toBe(invalid);
});
