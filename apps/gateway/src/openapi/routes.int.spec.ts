import { startReader, type TestGateway } from '../test-gateway.js';
import { openApiDocument } from './open-api-document.js';

/** Served, and no part of the API: the page about it, and what is for those who run the service. */
const BESIDE = ['GET /docs', 'GET /docs/:file', 'GET /metrics'];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startReader();
});
afterAll(() => gateway.close());

/** Every route, as `GET /v1/offsets`; those of HEAD come with GET. */
function served(): string[] {
  const tree = gateway.app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?/.exec(line) ?? [];
    if (path === '') return [];
    above.splice(indent.length / 4, above.length, path);
    const route = above.join('');
    const asked = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD');
    return asked.map((method) => `${method} ${route}`);
  });
}

function described(): string[] {
  const paths = Object.entries(openApiDocument().paths ?? {});
  return paths.flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
}

describe('the description of the API', () => {
  it('has every route that is served, and no other', () => {
    expect(served().sort()).toEqual([...described(), ...BESIDE].sort());
  });
});
