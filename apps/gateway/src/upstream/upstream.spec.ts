import { setTimeout as pass } from 'node:timers/promises';
import { GivenUp, Patience } from './patience.js';
import { trusted, UntrustedAnswer } from './trusted-answer.js';

describe('the time for an answer', () => {
  const end = ({ signal }: Patience) => new Promise((resolve) => signal.addEventListener('abort', resolve));

  it('ends with an error against the other app', async () => {
    const patience = new Patience(5);
    patience.asks();
    await end(patience);
    expect(patience.signal.reason).toEqual(new Error('no answer within 5 ms'));
  });

  it('ends without one when the request was sent late, or its client has left', async () => {
    const [late, left, client] = [new Patience(300), new Patience(60_000), new AbortController()];
    left.endsWith(client.signal);
    client.abort();
    await pass(110);
    late.asks();
    await end(late);
    for (const { signal } of [late, left]) expect(signal.reason).toBeInstanceOf(GivenUp);
    left.close();
  });

  it('ends no more once it is closed', async () => {
    const [patience, client] = [new Patience(5), new AbortController()];
    patience.endsWith(client.signal);
    patience.close();
    client.abort();
    await pass(10);
    expect(patience.signal.aborted).toBe(false);
  });
});

describe('an answer of another app', () => {
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
    expect(trusted(given, false)).toBe(given);
    expect(trusted(given, true)).toBe(given);
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
    expect(() => trusted(answer(status, type, body), true)).toThrow(UntrustedAnswer);
  });

  it('is trusted when it is 304 with a tag and nothing else, to a client that has something already', () => {
    const unchanged = { status: 304, headers: { etag: '"a"' }, body: Buffer.alloc(0) };
    expect(trusted(unchanged, true)).toBe(unchanged);
    expect(() => trusted(unchanged, false)).toThrow(UntrustedAnswer);
    expect(() => trusted({ ...unchanged, headers: {} }, true)).toThrow(UntrustedAnswer);
    expect(() => trusted({ ...unchanged, body: Buffer.from('[]') }, true)).toThrow(UntrustedAnswer);
  });
});
