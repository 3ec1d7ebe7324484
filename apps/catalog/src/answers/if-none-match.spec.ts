import { names } from './if-none-match.js';

const ETAG = '"kZ8_pM0-bT3vYw1xQe5rUA"';

describe('If-None-Match', () => {
  it.each([
    ETAG,
    `W/${ETAG}`,
    `"other", ${ETAG}`,
    `"other",W/${ETAG},"third"`,
    `"with, a comma" , ${ETAG}`,
    `, ,${ETAG},`,
    '*',
    ' * ',
  ])('names the tag: %s', (header) => {
    expect(names(header, ETAG)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '"other"',
    ETAG.slice(1, -1),
    ETAG.toLowerCase(),
    `"x${ETAG.slice(1)}`,
    `${ETAG.slice(0, -1)}x"`,
    '"*"',
    '*, "other"',
    'nonsense',
  ])('does not name the tag: %s', (header) => {
    expect(names(header, ETAG)).toBe(false);
  });
});
