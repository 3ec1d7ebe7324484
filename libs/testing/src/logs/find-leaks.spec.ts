import { CANARY } from './canary.js';
import { findLeaks } from './find-leaks.js';

const line = (fields: object) => JSON.stringify({ level: 'info', app: 'gateway', ...fields, message: 'request' });
const whatOf = (log: string) => findLeaks('gateway.log', log).map(({ line, what }) => `${line}: ${what}`);

describe('the search for what no log may hold', () => {
  it('passes what is logged', () => {
    const fine = [
      line({ requestId: 'r-1', method: 'POST', route: '/v1/offsets', status: 202, ms: 1.5 }),
      line({ dropped: ['customerRef', 'authorization', 'kgCO2e'] }),
      line({ err: { message: 'Send a valid key, as "Authorization: Bearer <key>"' } }),
      line({ id: 'cl_live_2B4cD6eF8h', reason: 'revoked' }),
    ];
    expect(whatOf(fine.join('\n'))).toEqual([]);
  });

  it.each([
    ['a customer’s reference', line({ reason: `cannot record ${CANARY}` }), 'a marked value of test data'],
    ['a key', line({ id: 'cl_live_2B4cD6eF8h_9kLmN0pQrS' }), 'an API key'],
    ['a key in an address', line({ path: '/v1/cl%5Flive%5F2B4cD6eF8h%5F9kLmN0pQrS' }), 'an API key'],
    ['a head', line({ err: { message: 'authorization: Bearer abcdefghijkl' } }), 'an Authorization header'],
    ['a body', line({ body: { kgCO2e: 1 } }), 'a member of a body or of a head'],
    ['a body as text', line({ reason: '{"customerRef":"u-1"}' }), 'a member of a body or of a head'],
    [
      'a body as text in an error',
      line({ reason: JSON.stringify({ is: '{"kgCO2e": 1}' }) }),
      'a member of a body or of a head',
    ],
    ['an address with its password', 'FATAL postgresql://carbon:hunter2@127.0.0.1:5432/carbon', 'a secret'],
    ['a secret', line({ reason: 'ID_SECRETS=an-id-secret-of-at-least-32-characters' }), 'a secret'],
  ])('finds %s, and its line', (_, leaking, what) => {
    expect(whatOf(`${line({})}\n${leaking}\n`)).toEqual([`2: ${what}`]);
  });
});
