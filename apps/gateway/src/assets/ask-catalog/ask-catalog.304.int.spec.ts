import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';

const catalog = gatewayBefore('CATALOG_URL');
const unchanged = (etag: Record<string, string>) => () =>
  catalog.answers((_, response) => response.writeHead(304, { 'cache-control': 'private, max-age=1', ...etag }).end());

describe.each(['pools', 'projects', 'schema'])('GET /v1/assets/%s of who has it', (what) => {
  const path = `/v1/assets/${what}?criteria=&fullTextSearch=`;
  const has = { 'if-none-match': '"abc"' };

  describe('when the catalog says that it is unchanged', () => {
    beforeEach(unchanged({ etag: '"abc"' }));

    it.each(['GET', 'HEAD'])('is 304 with the tag, without a body and its type (%s)', async (method) => {
      const { status, headers, body } = await catalog.ask({ method, path, headers: has });
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ etag: '"abc"', 'cache-control': 'private, max-age=1' });
      for (const name of ['content-type', 'content-length', 'transfer-encoding'])
        expect(headers).not.toHaveProperty(name);
    });

    it('is 503 for who has nothing, for then it is no answer', async () => {
      expect(await catalog.ask({ path })).toEqual(problem(503, 'service_unavailable'));
    });
  });

  it('is 503 when something says so that names no tag', async () => {
    unchanged({})();
    expect(await catalog.ask({ path, headers: has })).toEqual(problem(503, 'service_unavailable'));
  });
});
