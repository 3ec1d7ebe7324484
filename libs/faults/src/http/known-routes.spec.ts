import { KnownRoutes } from './known-routes.js';

describe('KnownRoutes', () => {
  const routes = new KnownRoutes();
  routes.add('GET', '/v1/offsets');
  routes.add(['HEAD', 'POST'], '/v1/offsets');
  routes.add('GET', '/v1/offsets');
  routes.add('GET', '/problems/:code');

  it('knows the methods of a path, sorted, OPTIONS among them', () => {
    expect(routes.methodsOf('/v1/offsets')).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
    expect(routes.methodsOf('/problems/not_found')).toEqual(['GET', 'OPTIONS']);
  });

  it.each(['/v1/offsets/', '/v1', '/V1/offsets', '/problems', '/%zz', '*', ''])('knows nothing of %j', (path) => {
    expect(routes.methodsOf(path)).toEqual([]);
  });
});
