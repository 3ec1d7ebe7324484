import Fastify from 'fastify';
import { refuseRoutesWithoutScope, scopeOf } from './route-scopes.js';

const serve = (url: string, config?: object) => () => {
  const fastify = Fastify();
  refuseRoutesWithoutScope(fastify);
  fastify.get(url, { ...(config && { config }) }, async () => 'anything');
};

describe('a gateway with a route', () => {
  it('under /v1 that names no scope does not start', () => {
    expect(serve('/v1/forgotten')).toThrow(
      "GET /v1/forgotten names no scope: give its handler @RouteConfig({ scope: 'offsets:write' | 'offsets:read' | 'assets:read' })",
    );
  });

  it.each(['/v1/mistyped', '/about'])('that names a scope that there is not does not start: %s', (url) => {
    expect(serve(url, { scope: 'offset:read' })).toThrow(`GET ${url} names the unknown scope "offset:read"`);
  });

  it('starts when it names one, or lies elsewhere', () => {
    expect(serve('/v1/offsets', { scope: 'offsets:read' })).not.toThrow();
    expect(serve('/about')).not.toThrow();
  });

  it('asks for the scope it names, and for none where it names none', () => {
    expect(scopeOf({ scope: 'assets:read', url: '/v1/assets/pools' })).toBe('assets:read');
    expect(scopeOf({ url: '/about' })).toBeUndefined();
  });
});
