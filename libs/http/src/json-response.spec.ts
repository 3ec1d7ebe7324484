import fastify from 'fastify';
import { jsonResponse, matchesEtag, sendCached } from './json-response.js';

describe('a response', () => {
  it('has an entity tag that changes with the body, the total and the link, and not with the time', () => {
    const etagOf = (body: string, headers = {}, at = 0) => jsonResponse(at, Buffer.from(body), headers).etag;
    const tags = [
      etagOf('[]'),
      etagOf('[1]'),
      etagOf('{}[]'),
      etagOf('[]', { 'x-total-count': '0' }),
      etagOf('[]', { 'x-total-count': '1' }),
      etagOf('[]', { 'x-total-count': '1', link: '</v1/assets/pools?cursor=a>; rel="next"' }),
      etagOf('[]', { 'x-total-count': '1', link: '</v1/assets/pools?cursor=b>; rel="next"' }),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(etagOf('[]', { 'x-total-count': '1' }, 2)).toBe(tags[4]);
    expect(tags[0]).toMatch(/^"[\w-]{22}"$/);
  });

  it('has an Age of about a second when it was cached that long, so that no proxy caches it for another', async () => {
    const headOf = async (agoMs: number) => {
      const app = fastify();
      app.get('/', (request, reply) => {
        sendCached(request, reply, jsonResponse(performance.now() - agoMs, Buffer.from('[]')));
        return reply;
      });
      return (await app.inject('/')).headers;
    };
    expect(await headOf(900)).toMatchObject({ age: '1', 'cache-control': 'private, max-age=1' });
    expect(await headOf(0)).not.toHaveProperty('age');
  });
});

describe('If-None-Match', () => {
  const ETAG = '"kZ8_pM0-bT3vYw1xQe5rUA"';

  it.each<[string | undefined, boolean]>([
    [ETAG, true],
    [`W/${ETAG}`, true],
    [`"other",W/${ETAG},"third"`, true],
    [`"with, a comma" , ${ETAG}`, true],
    [`, ,${ETAG},`, true],
    [' * ', true],
    [undefined, false],
    ['', false],
    ['"other"', false],
    [ETAG.slice(1, -1), false],
    [ETAG.toLowerCase(), false],
    [`"x${ETAG.slice(1)}`, false],
    [`${ETAG.slice(0, -1)}x"`, false],
    ['"*"', false],
    ['*, "other"', false],
    ['nonsense', false],
  ])('%s matches the tag: %s', (header, isNamed) => {
    expect(matchesEtag(header, ETAG)).toBe(isNamed);
  });
});
