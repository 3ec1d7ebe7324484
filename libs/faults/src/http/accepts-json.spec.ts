import { acceptsJson } from './accepts-json.js';

describe('acceptsJson', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/*',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8, text/plain, */*',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8',
    'application/problem+json, application/json;q=0.1',
  ])('takes %j', (accept) => expect(acceptsJson(accept)).toBe(true));

  it.each(['text/csv', 'text/html, application/xml', 'application/json;q=0', 'application/json;q=0, */*', 'nonsense'])(
    'does not take %j',
    (accept) => expect(acceptsJson(accept)).toBe(false),
  );

  it.each([
    [1_000, true],
    [1_001, false],
  ])('reads %d characters: %s', (length, taken) => {
    expect(acceptsJson(`application/json${' '.repeat(length - 17)},`)).toBe(taken);
  });
});
