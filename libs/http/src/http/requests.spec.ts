import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { RequestError } from '../api-error.js';
import { acceptsJson } from './accepts-json.js';
import { accountOf } from './account-of.js';
import { problemOfClientError, writeProblem } from './client-error.js';
import { type Flight, InFlight } from './in-flight.js';
import { singleHeader } from './single-header.js';

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
  ])('takes JSON by %j', (accept) => expect(acceptsJson(accept)).toBe(true));

  it.each(['text/csv', 'text/html, application/xml', 'application/json;q=0', 'application/json;q=0, */*', 'nonsense'])(
    'takes no JSON by %j',
    (accept) => expect(acceptsJson(accept)).toBe(false),
  );

  it('is not read beyond 1,000 characters', () => {
    const ofLength = (length: number) => `application/json${' '.repeat(length - 17)},`;
    expect([acceptsJson(ofLength(1_000)), acceptsJson(ofLength(1_001))]).toEqual([true, false]);
  });
});

describe('a header that may come once', () => {
  it('is found whatever its case, and not in a value that looks like its name', () => {
    expect(singleHeader({ rawHeaders: ['Host', 'x', 'IDEMPOTENCY-key', 'k'] }, 'Idempotency-Key')).toBe('k');
    expect(singleHeader({ rawHeaders: ['X', 'Idempotency-Key', 'Host', 'k'] }, 'Idempotency-Key')).toBeUndefined();
  });

  it('is refused when it is sent twice, even with the same value', () => {
    const rawHeaders = ['Idempotency-Key', 'k', 'idempotency-key', 'k'];
    expect(() => singleHeader({ rawHeaders }, 'Idempotency-Key')).toThrow('is sent more than once');
  });
});

describe('the account of a request', () => {
  it('is read, however its header is written', () => {
    expect(accountOf({ rawHeaders: ['Host', 'x', 'X-Account', 'acme-1'] })).toBe('acme-1');
  });

  it.each([
    [[], 'invalid_header'],
    [['X-Account', ''], 'invalid_header'],
    [['X-Account', 'Acme'], 'invalid_header'],
    [['X-Account', 'a, b'], 'invalid_header'],
    [['X-Account', 'a', 'x-account', 'b'], 'duplicate_header'],
  ])('is refused in %j: nobody is taken for somebody else', (rawHeaders, code) => {
    const items = [expect.objectContaining({ field: 'x-account', code })];
    expect(() => accountOf({ rawHeaders })).toThrow(expect.objectContaining({ constructor: RequestError, items }));
  });
});

it('requests in flight are those that came and have not left, whoever leaves first, and however often', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (visits) => {
      const inFlight = new InFlight<number>();
      const here = new Map<number, Flight<number>>();
      const gone: Flight<number>[] = [];
      for (const who of visits) {
        const flight = here.get(who);
        if (flight === undefined) here.set(who, inFlight.enter(who));
        else {
          here.delete(who);
          gone.push(flight);
        }
        for (const one of gone) inFlight.leave(one);
        expect(new Set(inFlight.values())).toEqual(new Set(here.keys()));
        expect(inFlight.size).toBe(here.size);
      }
    }),
  );
});

it('nothing is written into an answer that has begun, nor to a client that has gone', () => {
  const failed = (code: string) => problemOfClientError(Object.assign(new Error('Parse Error'), { code }), 100);
  const begun = new ServerResponse(new IncomingMessage(new Socket()));
  begun.writeHead(200);
  begun.flushHeaders();
  const stream = Object.assign(new PassThrough(), { _httpMessage: begun });
  const answer = failed('HPE_INVALID_CONSTANT');
  if (answer) writeProblem(stream as unknown as Socket, answer);
  expect(stream.read()).toBeNull();
  expect(stream.destroyed).toBe(true);
  expect(failed('ECONNRESET')).toBeUndefined();
});
