import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Ids } from '@carbon/contracts';
import Fastify from 'fastify';
import { presentedKey } from '../auth/api-key-authenticator.js';
import { refuseRoutesWithoutScope, scopeOf } from '../auth/scopes.js';
import type { AdmissionContext } from './admission.js';
import { ConcurrencyLimit } from './concurrency-limit.js';

describe('the key that a request presents', () => {
  const keyIn = (...rawHeaders: string[]) =>
    presentedKey({ rawHeaders: ['Host', 'x', ...rawHeaders, 'Accept', '*/*'] });

  it.each([
    [['Authorization', 'Bearer k-1']],
    [['authorization', 'bearer  k-1']],
    [['X-API-Key', 'k-1']],
    [['x-api-key', ' k-1 ']],
    [['X-API-KEY', 'k-1', 'AUTHORIZATION', 'BEARER k-1']],
  ])('is read from %j', (headers) => {
    expect(keyIn(...headers)).toBe('k-1');
  });

  it.each([
    [[]],
    [['X-Api-Keys', 'k-1', 'Proxy-Authorization', 'Bearer k-1', 'Cookie', 'key=k-1']],
    [['Authorization', 'Bearer k-1', 'X-API-Key', 'k-2']],
    [['Authorization', 'Basic azox', 'X-API-Key', 'k-1']],
    [['Authorization', 'Bearer k-1', 'X-API-Key', '']],
    [['Authorization', 'Bearer k-1', 'authorization', 'Bearer k-1']],
    [['X-API-Key', 'k-1', 'x-api-key', 'k-1']],
  ])('is none for %j', (headers) => {
    expect(keyIn(...headers)).toBeUndefined();
  });

  it.each(['k-1', 'Basic k-1', 'Bearer', 'Bearer k-1 k-2', 'Bearer k-1,k-2', 'Bearerk-1'])(
    'is no key for "Authorization: %s"',
    (value) => expect(keyIn('Authorization', value)).toBe(''),
  );
});

describe('a gateway with a route', () => {
  const serve = (url: string, config?: object) => () => {
    const fastify = Fastify();
    refuseRoutesWithoutScope(fastify);
    fastify.get(url, { ...(config && { config }) }, async () => 'anything');
  };

  it('under /v1 that names no scope does not start', () => {
    expect(serve('/v1/forgotten')).toThrow(
      "GET /v1/forgotten names no scope: give its handler @RouteConfig({ scope: 'offsets:write' | 'offsets:read' | 'assets:read' })",
    );
  });

  it.each(['/v1/mistyped', '/about'])('that names an unknown scope does not start: %s', (url) => {
    expect(serve(url, { scope: 'offset:read' })).toThrow(`GET ${url} names the unknown scope "offset:read"`);
  });

  it('starts when it names one, or is not under /v1', () => {
    expect(serve('/v1/offsets', { scope: 'offsets:read' })).not.toThrow();
    expect(serve('/about')).not.toThrow();
  });

  it('requires the scope it names, and none where it names none', () => {
    expect(scopeOf({ scope: 'assets:read', url: '/v1/assets/pools' })).toBe('assets:read');
    expect(scopeOf({ url: '/about' })).toBeUndefined();
  });
});

describe('the concurrency limit', () => {
  it('does not count a client that disconnected before its request started', () => {
    const limit = new ConcurrencyLimit(new Ids({ ids: ['a'], idempotency: ['b'] }), {
      REQUESTS_IN_FLIGHT: 1,
      REQUESTS_PER_ACCOUNT: 1,
      REQUESTS_PER_CONNECTION: 1,
    });
    const requestOn = (socket: Socket) => {
      const raw = new IncomingMessage(socket);
      return {
        request: { raw, routeOptions: { config: {} } },
        reply: { raw: new ServerResponse(raw) },
      } as unknown as AdmissionContext;
    };
    for (let n = 0; n < 3; n += 1)
      expect(() => limit.admit(requestOn(new Socket().destroy()))).toThrow('The connection closed');
    limit.admit(requestOn(new Socket()));
    expect(() => limit.admit(requestOn(new Socket()))).toThrow('Too many requests');
  });
});
