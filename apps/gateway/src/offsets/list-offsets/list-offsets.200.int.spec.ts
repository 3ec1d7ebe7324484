import { gatewayBefore } from '../../test-before.js';
import { says } from '../../test-upstream.js';

const PAGE = '[{"id":"off_1"}, {"id":"off_2"}]';
const LINK = '</v1/offsets?limit=2&cursor=abc>; rel="next"';

const offsets = gatewayBefore('OFFSETS_URL');
beforeEach(() => offsets.answers(says(200, 'application/json; charset=utf-8', PAGE, { link: LINK })));

describe('GET /v1/offsets without an id', () => {
  it('gives the offsets service’s page byte for byte, with the way to the next one', async () => {
    const given = await offsets.ask({ path: '/v1/offsets' });
    expect([given.status, given.body.toString(), given.headers.link]).toEqual([200, PAGE, LINK]);
  });

  it.each(['', '?', '?limit=2&cursor=a%2Bb', '?customerRef=a+b&status=queued', '?limit=1&limit=2', '?&&', '?Id=1'])(
    'passes the query on as it was sent: %s',
    async (query) => {
      await offsets.ask({ path: `/v1/offsets${query}` });
      expect(offsets.asked.at(-1)).toMatchObject({
        path: `/v1/offsets${query}`,
        headers: { 'x-account': 'default' },
      });
    },
  );
});
