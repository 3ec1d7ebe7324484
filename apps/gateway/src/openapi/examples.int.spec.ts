import { writeFileSync } from 'node:fs';
import { type FaultCode, type Problem, problemOf } from '@carbon/faults';
import { SCOPES, type Scope, writeKeyFile } from '@carbon/keys';
import { OutcomeUnknown } from '@carbon/messaging';
import { RequestTimeoutException } from '@nestjs/common';
import { publishFault } from '../offsets/create-offset/publish-fault.js';
import { NOBODY, startGateway, startReader, type TestGateway } from '../test-gateway.js';
import { TestKeyFile, testKey } from '../test-keys.js';
import { COMMON_REFUSALS } from './examples/common-refusals.js';
import { EXAMPLE_REQUEST, problemIn } from './examples/refused.js';
import { OFFSET_WISHES } from './examples/wishes.js';
import { openApiDocument } from './open-api-document.js';
import { FAULT_CODES } from './problems/problem-views.js';

const keys = Object.fromEntries(SCOPES.map((scope, at) => [scope, testKey(`account-${at}`, { scopes: [scope] })]));
const limited = testKey('limited', { plan: 'small' });
const PLANS = { small: { perSecond: 5, burst: 20 } };

let file: TestKeyFile;
let open: TestGateway;
let keyed: TestGateway;
let cut: TestGateway;
beforeAll(async () => {
  file = new TestKeyFile();
  const entries = [...Object.values(keys), limited].map(({ entry }) => entry);
  writeFileSync(file.path, writeKeyFile({ version: 1, plans: PLANS, keys: entries }));
  [open, keyed, cut] = await Promise.all([
    startGateway(),
    startReader({ API_KEYS_FILE: file.path }),
    startReader({ KAFKA_BROKERS: NOBODY, ACCEPT_TIMEOUT_MS: '100' }),
  ]);
});
afterAll(async () => {
  await Promise.all([open, keyed, cut].map((gateway) => gateway.close()));
  file.remove();
});

const post = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  path: '/v1/offsets',
  headers,
  body,
});
const reading = keys['offsets:read']?.headers ?? {};
const schema = { path: '/v1/assets/schema' };

async function spend(): Promise<unknown> {
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => keyed.ask({ path: '/v1/offsets?id=x', headers: limited.headers })),
  );
  return answers.find(({ status }) => status === 429)?.json;
}

async function reuse(): Promise<unknown> {
  const key = { 'idempotency-key': 'order-4711' };
  await open.ask(post({ kgCO2e: 1 }, key));
  return (await open.ask(post({ kgCO2e: 2 }, key))).json;
}

/** What cannot be had by sending one request to a gateway that asks for no key; the others are sent to a whole system. */
const BY_HAND: Partial<Record<FaultCode, () => unknown>> = {
  unauthorized: async () => (await keyed.ask(schema)).json,
  forbidden: async () => (await keyed.ask(post({ kgCO2e: 1 }, reading))).json,
  rate_limited: spend,
  payload_too_large: async () => (await open.ask(post({ customerRef: 'x'.repeat(17_000) }))).json,
  uri_too_long: async () => (await open.ask({ path: `/v1/offsets?customerRef=${'x'.repeat(16_400)}` })).json,
  header_too_large: async () => (await open.ask({ path: '/v1/offsets', headers: { a: 'x'.repeat(25_000) } })).json,
  idempotency_key_reused: reuse,
  service_unavailable: async () => (await open.ask({ path: '/v1/offsets' })).json,
  not_accepted: async () => (await cut.ask(post({ kgCO2e: 1 }, { 'idempotency-key': 'order-4711' }))).json,
  // Slow, or broken on purpose: the sentence is that of the code, and other tests have these answers given.
  request_timeout: () => problemOf(new RequestTimeoutException(), EXAMPLE_REQUEST).body,
  internal_error: () => problemOf(new Error('of the inside'), EXAMPLE_REQUEST).body,
  outcome_unknown: () => problemOf(publishFault(new OutcomeUnknown(), 'order-4711'), EXAMPLE_REQUEST).body,
};

describe('the examples of refusals in the description of the API', () => {
  it('are there for every code', () => {
    const elsewhere = Object.values(COMMON_REFUSALS).flatMap(({ code, asked }) => (asked ? [code] : []));
    expect([...elsewhere, ...Object.keys(BY_HAND), 'invalid_request'].sort()).toEqual([...FAULT_CODES].sort());
  });

  it.each(Object.keys(BY_HAND) as Exclude<FaultCode, 'invalid_request'>[])('are what is answered: %s', async (code) => {
    const answered = (await BY_HAND[code]?.()) as Problem;
    expect({ ...answered, instance: EXAMPLE_REQUEST }).toEqual(problemIn(COMMON_REFUSALS[code]));
  });
});

describe('the scopes in the description of the API', () => {
  const operations = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).flatMap(([method, { security }]: [string, { security?: { bearer?: string[] }[] }]) =>
      security?.[0]?.bearer ? [{ method: method.toUpperCase(), path, needed: security[0].bearer[0] }] : [],
    ),
  );

  it.each(operations)(
    'are the ones that are asked for: $method $path needs $needed',
    async ({ method, path, needed }) => {
      const allowed = SCOPES.map(async (scope: Scope) => {
        const { status } = await keyed.ask({ method, path, headers: { ...keys[scope]?.headers } });
        return status === 403 ? [] : [scope];
      });
      expect((await Promise.all(allowed)).flat()).toEqual([needed]);
    },
  );
});

describe('the examples of new offsets in the description of the API', () => {
  it.each(Object.values(OFFSET_WISHES))('are accepted: $summary', async ({ value }) => {
    expect(await open.ask(post(value))).toMatchObject({ status: 202 });
  });
});
