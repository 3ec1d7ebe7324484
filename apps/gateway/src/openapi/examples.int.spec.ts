import { type Problem, type ProblemCode, problemOf } from '@carbon/http';
import { PublishOutcomeUnknown } from '@carbon/messaging';
import { RequestTimeoutException } from '@nestjs/common';
import { publishFault } from '../offsets/create-offset/publish-fault.js';
import { startPublishingGateway, type TestGateway, UNUSED_ADDRESS, useGateway } from '../testing/gateway.js';
import type { TestRequest } from '../testing/http.js';
import { TestKeyFile, testKey } from '../testing/keys.js';
import { COMMON_REFUSALS } from './examples/common-refusals.js';
import { EXAMPLE_REQUEST, problemIn } from './examples/refused.js';
import { OFFSET_WISHES } from './examples/wishes.js';
import { FAULT_CODES } from './problems/problem-views.js';

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

/** Refusals that one request to a gateway without keys does not provoke; the others are tested with a whole system. */
const BY_HAND: Partial<Record<ProblemCode, () => unknown>> = {
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
  // Slow, or broken on purpose: the sentence is that of the code, and other tests have these answers given.
  request_timeout: () => problemOf(new RequestTimeoutException(), EXAMPLE_REQUEST).body,
  internal_error: () => problemOf(new Error('of the inside'), EXAMPLE_REQUEST).body,
  outcome_unknown: () => problemOf(publishFault(new PublishOutcomeUnknown(), 'order-4711'), EXAMPLE_REQUEST).body,
};

describe('the examples of refusals in the description of the API', () => {
  it('are there for every code', () => {
    const elsewhere = Object.values(COMMON_REFUSALS).flatMap(({ code, asked }) => (asked ? [code] : []));
    expect([...elsewhere, ...Object.keys(BY_HAND), 'invalid_request'].sort()).toEqual([...FAULT_CODES].sort());
  });

  it.each(Object.keys(BY_HAND) as Exclude<ProblemCode, 'invalid_request'>[])(
    'are what is answered: %s',
    async (code) => {
      const answered = (await BY_HAND[code]?.()) as Problem;
      expect({ ...answered, instance: EXAMPLE_REQUEST }).toEqual(problemIn(COMMON_REFUSALS[code]));
    },
  );
});

describe('the examples of new offsets in the description of the API', () => {
  it.each(Object.values(OFFSET_WISHES))('are accepted: $summary', async ({ value }) => {
    expect(await open.send(post(value))).toMatchObject({ status: 202 });
  });
});
