import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { says } from '../../test-upstream.js';

const path = '/v1/assets/pools?criteria=&fullTextSearch=';
const catalog = gatewayBefore('CATALOG_URL');
const linking = (bytes: number) => {
  const link = `</v1/assets/pools?cursor=${'x'.repeat(bytes)}>; rel="next"`;
  catalog.answers(says(200, 'application/json', '[]', { link }));
  return link;
};

describe('GET /v1/assets/pools with a long link to the next page', () => {
  it('gives the link as it came, as long as the catalog makes any', async () => {
    const link = linking(15 * 1024);
    const { status, headers } = await catalog.ask({ path });
    expect([status, headers.link]).toEqual([200, link]);
  });

  it('is not taken from others because of answers whose heads are too long', async () => {
    linking(80 * 1024);
    // More often than the catalog may fail before it is thought to be away.
    for (let times = 1; times <= 8; times += 1) {
      expect(await catalog.ask({ path })).toEqual(problem(503, 'service_unavailable'));
    }
    linking(10);
    expect((await catalog.ask({ path })).status).toBe(200);
  });
});
