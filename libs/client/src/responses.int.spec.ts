import { inspect } from 'node:util';
import { CarbonClient, CarbonError, InvalidRequestError, ProblemError, UnexpectedAnswerError } from './index.js';
import {
  acceptOffset,
  closeConnection,
  failure,
  json,
  KEY,
  neverRespond,
  problem,
  serviceOfFile,
  text,
  withOwnService,
} from './testing/service.js';

const service = serviceOfFile();
const other = serviceOfFile();

const JSON_TYPE = { 'content-type': 'application/json' };
const at = '2026-03-02T10:15:30.123Z';
const OFFSET = {
  ...{
    id: 'off_1',
    status: 'completed',
    kgCO2e: 1,
    credits: 0.001,
    creditsMatched: 0.001,
    cost: 0.001,
    currency: 'USD',
  },
  ...{ createdAt: at, updatedAt: at, completedAt: at },
  retirements: [{ asset: 'pool_bct', credits: 0.001, price: 1, cost: 0.001 }],
};
const FAILURE = { code: 'no_supply', detail: 'The library has not enough credits.' };

describe('a response that is not from the service', () => {
  it.each([
    ['a page', text(200, '<html>Welcome</html>', { 'content-type': 'text/html' })],
    ['JSON under another name', text(200, JSON.stringify(OFFSET), { 'content-type': 'text/plain' })],
    ['half of it', text(200, '{"id": "off_1", "sta', JSON_TYPE)],
    ['nothing', text(200, '', JSON_TYPE)],
    ['null', json(200, null)],
    ['a list', json(200, [OFFSET])],
    ['an object of something else', json(200, { message: 'hello' })],
    ['an offset without its id', json(200, { ...OFFSET, id: undefined })],
    ['an offset whose weight is a text', json(200, { ...OFFSET, kgCO2e: '1' })],
    ['a completed offset without its cost', json(200, { ...OFFSET, cost: undefined })],
    ['a completed offset without its currency', json(200, { ...OFFSET, currency: undefined })],
    ['a completed offset without its time', json(200, { ...OFFSET, completedAt: undefined })],
    ['a failed offset without a reason', json(200, { ...OFFSET, status: 'failed', failedAt: at })],
    ['a failed offset without its time', json(200, { ...OFFSET, status: 'failed', failure: FAILURE })],
    ['a retirement without its price', json(200, { ...OFFSET, retirements: [{ asset: 'pool_bct' }] })],
    ['an unknown status without a weight', json(200, { id: 'off_1', status: 'processing' })],
    ['another success', json(204, undefined)],
  ])('is rejected without a retry: %s', async (_, answer) => {
    service.respondWith(answer);
    expect(await failure(service.client().offsets.get('off_1'))).toBeInstanceOf(UnexpectedAnswerError);
    expect(service.requests).toHaveLength(1);
  });

  it('is rejected without a total count or a list', async () => {
    for (const answer of [json(200, [{ name: 'A' }]), json(200, {}, { 'x-total-count': '1' })]) {
      service.respondWith(answer);
      expect(await failure(service.client().pools.search().page())).toMatchObject({ code: 'unexpected_answer' });
    }
  });

  it('is quoted in part, without control characters', async () => {
    const page = `\u001b[2Jbad gateway${'x'.repeat(10_000)}`;
    service.respondWith(text(502, page, { 'content-type': 'text/plain', 'x-request-id': 'r-9' }));
    const error = await failure(service.client({ tries: 1 }).offsets.get('x'));
    expect(error).toMatchObject({ status: 502, requestId: 'r-9', detail: expect.stringContaining('[2Jbad gateway') });
    expect((error as Error).message).toMatch(/^[^\p{Cc}]{1,300}$/u);
  });

  it('is not read beyond a limit', async () => {
    service.respondWith((_request, response) => {
      response.writeHead(200, JSON_TYPE);
      const more = () => response.write('x'.repeat(1024 * 1024), (error) => error || setImmediate(more));
      more();
    });
    const error = await failure(service.client({ tryMs: 60_000, timeoutMs: 60_000 }).offsets.get('x'));
    expect(error).toMatchObject({ code: 'unexpected_answer', detail: expect.stringContaining('longer than') });
  });

  it('may have additional members', async () => {
    service.respondWith(json(200, { ...OFFSET, colour: 'green' }));
    expect(await service.client().offsets.get('off_1')).toMatchObject({ id: 'off_1', colour: 'green' });
  });
});

describe('a problem document', () => {
  it('is an error with the members of the document', async () => {
    const errors = [{ field: 'kgCO2e', pointer: '/kgCO2e', code: 'invalid_field', detail: 'must be above 0' }];
    service.respondWith(problem(400, 'invalid_request', { errors }));
    const error = await failure(service.client().offsets.create({ kgCO2e: -1 }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toBeInstanceOf(CarbonError);
    const detail = 'about invalid_request';
    const members = { code: 'invalid_request', message: detail, detail, status: 400, requestId: 'r-1', errors };
    expect(error).toMatchObject({ name: 'InvalidRequestError', ...members });
  });

  it.each(['is_a_teapot', 'constructor', '__proto__', 'toString'])(
    'with the unknown code %s is a plain ProblemError',
    async (code) => {
      const sound = { field: 'a', code: 'b', detail: 'c' };
      service.respondWith(problem(418, code, { errors: [{ odd: true }, sound] }));
      const error = await failure(service.client().offsets.get('x'));
      expect((error as Error).constructor).toBe(ProblemError);
      expect(error).toMatchObject({ name: 'ProblemError', code, errors: [sound] });
    },
  );

  it('shows the position of an error in criteria', async () => {
    const place = { position: 0, length: 5, suggestion: 'ticker' };
    const errors = [{ field: 'criteria', code: 'unknown_field', detail: 'unknown', ...place }];
    const snippet = 'tiker:BCT\n^^^^^';
    service.respondWith(problem(400, 'invalid_criteria', { snippet, errors }));
    const error = await failure(service.client().pools.search({ criteria: 'tiker:BCT' }).page());
    expect(error).toMatchObject({ name: 'InvalidCriteriaError', snippet, errors });
  });
});

describe('the key', () => {
  it('is sent only as a header', async () => {
    service.respondWith(acceptOffset);
    await service.client().offsets.create({ kgCO2e: 1 });
    const authorization = `Bearer ${KEY}`;
    expect(service.requests).toMatchObject([{ headers: { authorization }, path: '/v1/offsets' }]);
  });

  it('is sent to no redirect or link of another host', async () => {
    other.respondWith(json(200, [OFFSET]));
    service.respondWith(text(307, '', { location: `${other.url}/v1/offsets?id=x` }));
    expect(await failure(service.client().offsets.get('x'))).toMatchObject({ code: 'unexpected_answer', status: 307 });
    service.respondWith(json(200, [], { link: `<${other.url}/v1/offsets?cursor=2>; rel="next"` }));
    expect(await failure(all(service.client().offsets.list()))).toMatchObject({ code: 'unexpected_answer' });
    expect([service.requests.length, other.requests]).toEqual([1, []]);
  });

  it('is in no error and not shown by inspect', () =>
    withOwnService(async (service) => {
      const client = service.client({ tries: 1, tryMs: 250 });
      const errors: unknown[] = [];
      for (const trouble of [
        problem(401, 'unauthorized'),
        text(500, 'x'),
        closeConnection,
        json(200, []),
        neverRespond,
      ]) {
        service.respondWith(trouble);
        errors.push(await failure(client.offsets.get('x')));
      }
      errors.push(attempt(() => new CarbonClient({ baseUrl: service.url, key: `${KEY}\nx` })));
      errors.push(attempt(() => new CarbonClient({ baseUrl: `http://name:${KEY}@127.0.0.1` })));
      const kinds = [...Array(5).fill(CarbonError), RangeError, RangeError];
      expect(errors).toEqual(kinds.map((kind) => expect.any(kind)));
      for (const shown of [errors, client]) expect(inspect(shown, { depth: 20 })).not.toContain(KEY);
      expect(JSON.stringify([errors, client])).not.toContain(KEY);
    }));
});

describe('pages', () => {
  const linkTo = (n: number) => ({ link: `</v1/offsets?status=failed&cursor=${n}>; rel="next"` });
  const page = (n: number) => json(200, [{ ...OFFSET, id: `off_${n}` }], n < 3 ? linkTo(n + 1) : {});

  it('are requested on demand by their links', async () => {
    service.respondWith(page(1), page(2), page(3));
    const listing = service.client().offsets.list({ status: 'failed' });
    expect((await all(listing)).map(({ id }) => id)).toEqual(['off_1', 'off_2', 'off_3']);
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/v1/offsets?status=failed',
      '/v1/offsets?status=failed&cursor=2',
      '/v1/offsets?status=failed&cursor=3',
    ]);
    service.respondWith(page(1));
    for await (const { id } of listing) {
      expect(id).toBe('off_1');
      break;
    }
    expect(service.requests).toHaveLength(1);
  });

  it('have the cursor of the next page, from which a list continues', async () => {
    service.respondWith(page(1));
    const { cursor } = await service.client().offsets.list({ status: 'failed' }).page();
    expect(cursor).toBe('2');
    service.respondWith(page(3));
    const last = await service.client().offsets.list({ status: 'failed', cursor }).page();
    expect(last.cursor).toBeUndefined();
    expect(service.requests[0]?.path).toBe('/v1/offsets?status=failed&cursor=2');
  });

  it('are not followed in a circle', async () => {
    service.respondWith(page(1), page(1));
    expect(await failure(all(service.client().offsets.list()))).toMatchObject({ code: 'unexpected_answer' });
    expect(service.requests).toHaveLength(2);
  });

  it('are found behind a base URL with a path', async () => {
    service.respondWith(page(1), page(2), page(3));
    const client = service.client({ baseUrl: `${service.url}/carbon/` });
    expect(await all(client.offsets.list())).toHaveLength(3);
    expect(service.requests[2]?.path).toBe('/carbon/v1/offsets?status=failed&cursor=3');
  });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
