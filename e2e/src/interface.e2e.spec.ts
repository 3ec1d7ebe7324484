import { request } from 'undici';
import { acceptedId } from './load/client.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

/** The given interface, statement by statement and section by section; what it leaves open is tested elsewhere. */

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines();
}, 120_000);
afterAll(() => app.stop());

/** A plain HTTP call, as a client with nothing but the interface in hand would make it. */
async function call(method: 'GET' | 'POST', path: string, body?: object) {
  const answer = await request(`${app.system.urls.gateway}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, type: answer.headers['content-type'], body: await answer.body.json() };
}

const TYPES: Record<string, string> = {
  ticker: 'string',
  address: 'string',
  source: 'string',
  description: 'string',
  rating: 'number',
  name: 'string',
};

describe('section 2, the fields of an offset event', () => {
  it.each([
    ['kgCO2e alone, for the others are not required', { kgCO2e: 1 }],
    ['kgCO2e with a fraction', { kgCO2e: 0.5 }],
    ['kgCO2e and estimateId', { kgCO2e: 1, estimateId: 'est-1' }],
    ['kgCO2e and customerRef, a user identifier say', { kgCO2e: 1, customerRef: 'user 7' }],
    ['all three', { kgCO2e: 1, estimateId: 'est-1', customerRef: 'user 7' }],
  ])('takes %s', async (_, body) => {
    expect(await call('POST', '/v1/offsets', body)).toMatchObject({ status: 202 });
  });

  it.each([
    ['no kgCO2e', {}],
    ['a kgCO2e that is no number', { kgCO2e: '1' }],
    ['an estimateId that is no string', { kgCO2e: 1, estimateId: 5 }],
    ['a customerRef that is no string', { kgCO2e: 1, customerRef: { id: 5 } }],
  ])('refuses %s', async (_, body) => {
    expect(await call('POST', '/v1/offsets', body)).toMatchObject({ status: 400 });
  });
});

describe('section 4.1, creating an offset event', () => {
  it('answers an object with one field, message, which says that it is queued and holds its id', async () => {
    const { body, type } = await call('POST', '/v1/offsets', { kgCO2e: 12 });
    expect(type).toContain('application/json');
    expect(Object.keys(body as object)).toEqual(['message']);
    const { message } = body as { message: string };
    expect(message).toMatch(/queued for processing/);
    expect(message).toContain(acceptedId(body) ?? 'an id');
  });
});

describe('sections 4.2 and 4.3, finding one offset event and listing all, at the same path', () => {
  it('finds the event by the id of the message', async () => {
    const id = acceptedId((await call('POST', '/v1/offsets', { kgCO2e: 12 })).body);
    expect(await call('GET', `/v1/offsets?id=${id}`)).toMatchObject({ status: 200, body: { id } });
  });

  it('lists the events as a JSON array', async () => {
    const { status, body } = await call('GET', '/v1/offsets');
    expect([status, Array.isArray(body)]).toEqual([200, true]);
  });
});

describe.each(['pools', 'projects'])('sections 4.4 and 4.5, the search for %s', (resource) => {
  it('needs both criteria and fullTextSearch', async () => {
    expect(await call('GET', `/v1/assets/${resource}`)).toMatchObject({ status: 400 });
    expect(await call('GET', `/v1/assets/${resource}?criteria=`)).toMatchObject({ status: 400 });
    expect(await call('GET', `/v1/assets/${resource}?fullTextSearch=`)).toMatchObject({ status: 400 });
  });

  it('answers an array whose elements have these fields, of these types', async () => {
    const { status, body } = await call('GET', `/v1/assets/${resource}?criteria=&fullTextSearch=`);
    expect(status).toBe(200);
    const elements = body as Record<string, unknown>[];
    expect(elements.length).toBeGreaterThan(1);
    const wrong = elements.flatMap((element) =>
      Object.entries(element).filter(([field, value]) => TYPES[field] !== typeof value),
    );
    expect(wrong).toEqual([]);
    for (const { address = '0x0', source } of elements) {
      expect(address).toMatch(/^0x[0-9a-fA-F]+$/);
      expect(source).toMatch(/^[A-Z][A-Z0-9_]*$/);
    }
  });

  it('answers an empty array when nothing is found', async () => {
    const path = `/v1/assets/${resource}?criteria=ticker:NOSUCHTICKER&fullTextSearch=`;
    expect(await call('GET', path)).toMatchObject({ status: 200, body: [] });
  });

  it('filters by criteria, a set of fields and operations, and by raw words or phrases together', async () => {
    const query = new URLSearchParams({ criteria: 'rating >= 0 and name exists', fullTextSearch: '"carbon"' });
    const both = await call('GET', `/v1/assets/${resource}?${query}`);
    expect(both).toMatchObject({ status: 200, body: expect.any(Array) });
  });
});

describe('section 9, versions', () => {
  it.each(['/offsets', '/assets/pools?criteria=&fullTextSearch=', '/v2/offsets'])(
    'serves nothing without the prefix /v1: %s',
    async (path) => {
      expect(await call('GET', path)).toMatchObject({ status: 404 });
    },
  );
});
