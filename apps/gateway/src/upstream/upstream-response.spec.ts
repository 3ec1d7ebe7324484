import { requireTrusted, UntrustedResponse } from './upstream-response.js';

const CONDITIONAL = { success: 200, isConditional: true } as const;
const UNCONDITIONAL = { success: 200, isConditional: false } as const;

describe('a response of another app', () => {
  const answer = (status: number, type: string | undefined, body: string) => ({
    status,
    headers: { 'content-type': type },
    body: Buffer.from(body),
  });

  it.each([
    [200, 'application/json', '[]'],
    [200, 'application/json; charset=utf-8', '{"id":"off_1"}'],
    [400, 'application/problem+json', '{"code":"invalid_criteria"}'],
    [503, 'Application/Problem+JSON; charset=utf-8', '{"code":"service_unavailable"}'],
  ])('is trusted: %d, %s, %s', (status, type, body) => {
    const given = answer(status, type, body);
    expect(requireTrusted(given, UNCONDITIONAL)).toBe(given);
    expect(requireTrusted(given, CONDITIONAL)).toBe(given);
  });

  it.each([
    [200, 'text/html', '<html></html>'],
    [200, undefined, '[]'],
    [200, 'application/json', ''],
    [200, 'application/json', 'garbage'],
    [200, 'application/json', '"text"'],
    [200, 'application/json', '[{"id":"off_1"}'],
    [200, 'application/json', '{'],
    [200, 'application/json', '[}'],
    [200, 'application/problem+json', '{}'],
    [204, undefined, ''],
    [302, 'application/json', '{}'],
    [404, 'application/json', '{"error":"not ours"}'],
    [502, 'text/html', '<html>bad gateway</html>'],
    [600, 'application/problem+json', '{}'],
  ])('is not trusted: %d, %s, %j', (status, type, body) => {
    expect(() => requireTrusted(answer(status, type, body), CONDITIONAL)).toThrow(UntrustedResponse);
  });

  it('is trusted as 304 with a tag and no body, to a conditional request', () => {
    const unchanged = { status: 304, headers: { etag: '"a"' }, body: Buffer.alloc(0) };
    expect(requireTrusted(unchanged, CONDITIONAL)).toBe(unchanged);
    expect(() => requireTrusted(unchanged, UNCONDITIONAL)).toThrow(UntrustedResponse);
    expect(() => requireTrusted({ ...unchanged, headers: {} }, CONDITIONAL)).toThrow(UntrustedResponse);
    expect(() => requireTrusted({ ...unchanged, body: Buffer.from('[]') }, CONDITIONAL)).toThrow(UntrustedResponse);
  });
});
