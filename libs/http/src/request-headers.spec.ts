import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { type ActiveRequest, ActiveRequests } from './active-requests.js';
import { problemOfClientError, writeProblem } from './client-errors.js';
import { RequestError } from './errors.js';
import { acceptsJson, accountOf, singleHeader } from './request-headers.js';

describe('the Accept header', () => {
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
  ])('admits JSON in %j', (accept) => expect(acceptsJson(accept)).toBe(true));

  it.each(['text/csv', 'text/html, application/xml', 'application/json;q=0', 'application/json;q=0, */*', 'nonsense'])(
    'excludes JSON in %j',
    (accept) => expect(acceptsJson(accept)).toBe(false),
  );

  it('excludes JSON beyond 1,000 characters', () => {
    const ofLength = (length: number) => `application/json${' '.repeat(length - 17)},`;
    expect([acceptsJson(ofLength(1_000)), acceptsJson(ofLength(1_001))]).toEqual([true, false]);
  });
});

describe('singleHeader', () => {
  it('finds a header in any case, and not in a value that looks like its name', () => {
    expect(singleHeader({ rawHeaders: ['Host', 'x', 'IDEMPOTENCY-key', 'k'] }, 'Idempotency-Key')).toBe('k');
    expect(singleHeader({ rawHeaders: ['X', 'Idempotency-Key', 'Host', 'k'] }, 'Idempotency-Key')).toBeUndefined();
  });

  it('rejects a repeated header, even with the same value', () => {
    const rawHeaders = ['Idempotency-Key', 'k', 'idempotency-key', 'k'];
    expect(() => singleHeader({ rawHeaders }, 'Idempotency-Key')).toThrow('is repeated');
  });
});

describe('the account of a request', () => {
  it('is read from X-Account in any case', () => {
    expect(accountOf({ rawHeaders: ['Host', 'x', 'X-Account', 'acme-1'] })).toBe('acme-1');
  });

  it.each([
    [[], 'invalid_header'],
    [['X-Account', ''], 'invalid_header'],
    [['X-Account', 'Acme'], 'invalid_header'],
    [['X-Account', 'a, b'], 'invalid_header'],
    [['X-Account', 'a', 'x-account', 'b'], 'duplicate_header'],
  ])('is rejected in %j', (rawHeaders, code) => {
    const items = [expect.objectContaining({ field: 'x-account', code })];
    expect(() => accountOf({ rawHeaders })).toThrow(expect.objectContaining({ constructor: RequestError, items }));
  });
});

it('active requests are those added and not removed, in whatever order and however often they are removed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (toggles) => {
      const active = new ActiveRequests<number>();
      const present = new Map<number, ActiveRequest<number>>();
      const removed: ActiveRequest<number>[] = [];
      for (const value of toggles) {
        const entry = present.get(value);
        if (entry === undefined) present.set(value, active.add(value));
        else {
          present.delete(value);
          removed.push(entry);
        }
        for (const one of removed) active.remove(one);
        expect(new Set(active.values())).toEqual(new Set(present.keys()));
        expect(active.size).toBe(present.size);
      }
    }),
  );
});

it('a problem is not written into a response that has started, nor to a client that is gone', () => {
  const failed = (code: string) => problemOfClientError(Object.assign(new Error('Parse Error'), { code }), 100);
  const begun = new ServerResponse(new IncomingMessage(new Socket()));
  begun.writeHead(200);
  begun.flushHeaders();
  const stream = Object.assign(new PassThrough(), { _httpMessage: begun });
  const answer = failed('HPE_INVALID_CONSTANT');
  let isWritten = false;
  if (answer) writeProblem(stream as unknown as Socket, answer, () => (isWritten = true));
  expect(isWritten).toBe(false);
  expect(stream.read()).toBeNull();
  expect(stream.destroyed).toBe(true);
  expect(failed('ECONNRESET')).toBeUndefined();
});
