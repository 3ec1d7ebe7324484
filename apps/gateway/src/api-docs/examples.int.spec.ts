import type { Problem, ProblemCode } from '@carbon/http';
import { OFFSET_REQUEST_EXAMPLES } from '../offsets/offsets.openapi.js';
import { startPublishingGateway, TEST_IDS, type TestGateway, UNUSED_ADDRESS, useGateway } from '../testing/gateway.js';
import type { TestRequest } from '../testing/http.js';
import { TestKeyFile, testKey } from '../testing/keys.js';
import { EXAMPLE_REQUEST_ID, PROBLEM_EXAMPLES } from './problem-examples.js';

const reader = testKey('reader', { scopes: ['offsets:read'] });
const limited = testKey('limited', { plan: 'small' });
const keyFile = new TestKeyFile([reader, limited], { small: { perSecond: 5, burst: 20 } });

const open = useGateway(undefined, startPublishingGateway);
const keyed = useGateway(() => ({ API_KEYS_FILE: keyFile.path }));
const cut = useGateway(() => ({ KAFKA_BROKERS: UNUSED_ADDRESS, ACCEPT_TIMEOUT_MS: '100' }));

const get = (path: string, headers = {}): TestRequest => ({ path, headers });
const post = (body: object, headers = {}): TestRequest => ({ method: 'POST', path: '/v1/offsets', headers, body });
const order = { 'idempotency-key': 'order-4711' };
const from = (gateway: TestGateway, request: TestRequest) => async () => (await gateway.send(request)).json;

async function spend(): Promise<unknown> {
  const { headers } = limited;
  const responses = Array.from({ length: 60 }, () => keyed.send(get('/v1/offsets?id=x', headers)));
  return (await Promise.all(responses)).find(({ status }) => status === 429)?.json;
}

/**
 * Problems that need more than one plain request to an open gateway; those with a request are tested with a whole
 * system.
 */
const ANSWERED: Partial<Record<Exclude<ProblemCode, 'invalid_request'>, () => unknown>> = {
  unauthorized: from(keyed, get('/v1/assets/schema')),
  forbidden: from(keyed, post({ kgCO2e: 1 }, reader.headers)),
  rate_limited: spend,
  payload_too_large: from(open, post({ customerRef: 'x'.repeat(17_000) })),
  uri_too_long: from(open, get(`/v1/offsets?customerRef=${'x'.repeat(16_400)}`)),
  header_too_large: from(open, get('/v1/offsets', { a: 'x'.repeat(25_000) })),
  idempotency_key_reused: async () => {
    await open.send(post({ kgCO2e: 1 }, order));
    return (await open.send(post({ kgCO2e: 2 }, order))).json;
  },
  service_unavailable: from(open, get('/v1/offsets')),
  not_accepted: from(cut, post({ kgCO2e: 1 }, order)),
};

describe('the examples of problems in the description of the API', () => {
  it.each(Object.keys(ANSWERED) as (keyof typeof ANSWERED)[])('are what the gateway answers: %s', async (code) => {
    const answered = (await ANSWERED[code]?.()) as Problem;
    expect({ ...answered, instance: EXAMPLE_REQUEST_ID }).toEqual(PROBLEM_EXAMPLES[code].problem);
  });
});

describe('the examples of new offsets in the description of the API', () => {
  it.each(Object.values(OFFSET_REQUEST_EXAMPLES))('are accepted: $summary', async ({ value }) => {
    // Only the gateway that issued an estimate accepts it, so the one of the example gives way to one of this gateway.
    const body = 'estimateId' in value ? { ...value, estimateId: TEST_IDS.generate('est', 'default') } : value;
    expect(await open.send(post(body))).toMatchObject({ status: 202 });
  });
});
