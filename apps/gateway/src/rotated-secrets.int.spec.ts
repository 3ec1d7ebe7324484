import { Ids } from '@carbon/contracts';
import { INTERNAL_SECRET } from '@carbon/http';
import { offsetIdOf, SEARCH, startPublishingGateway, TEST_IDS, TEST_SECRETS, useGateway } from './testing/gateway.js';
import { problem } from './testing/http.js';
import { json, reply, useStub } from './testing/stub-server.js';

describe('INTERNAL_SECRETS', () => {
  const [OLD, NEW] = ['an-old-internal-secret-of-32-characters', 'a-new-internal-secret-of-32-characters'] as const;
  const app = useStub();
  const atApp = (INTERNAL_SECRETS: string) => () => ({ OFFSETS_URL: app.url, CATALOG_URL: app.url, INTERNAL_SECRETS });
  /** During a rotation the other apps accept both secrets, and some gateways have been restarted. */
  const gateways = [
    [OLD, useGateway(atApp(OLD))],
    [OLD, useGateway(atApp(`${OLD},${NEW}`))],
    [NEW, useGateway(atApp(`${NEW},${OLD}`))],
  ] as const;

  it('authenticate the gateway by the first of them, whatever a client sends', async () => {
    for (const [first, gateway] of gateways) {
      for (const path of ['/v1/offsets', SEARCH, '/v1/assets/schema']) {
        const { status, headers } = await gateway.send({ path, headers: { [INTERNAL_SECRET]: 'a-guess' } });
        expect([status, app.requests.at(-1)?.headers[INTERNAL_SECRET]]).toEqual([200, first]);
        expect(JSON.stringify(headers)).not.toContain(first);
      }
    }
  });

  it('that do not match give 503, not 401', async () => {
    const body = '{"type":"/problems/unauthorized","status":401,"code":"unauthorized"}';
    app.respond(reply(401, 'application/problem+json', body, { 'www-authenticate': 'Bearer' }));
    const response = await gateways[0][1].send({ path: '/v1/offsets' });
    expect(response).toEqual(problem(503, 'service_unavailable'));
    expect(response.headers['www-authenticate']).toBeUndefined();
  });
});

describe('a new first secret in ID_SECRETS', () => {
  const NEW = 'a-new-id-secret-of-at-least-32-characters';
  const offsets = useStub(json('{}'));
  const rotated = useGateway(
    () => ({ OFFSETS_URL: offsets.url, ID_SECRETS: `${NEW},${TEST_SECRETS.ID_SECRETS}` }),
    startPublishingGateway,
  );
  const post = async (headers: Record<string, string> = {}) =>
    offsetIdOf(await rotated.send({ method: 'POST', path: '/v1/offsets', headers, body: { kgCO2e: 1 } }));

  it('keeps older ids and keys valid', async () => {
    const generated = TEST_IDS.generate('off', 'default');
    expect((await rotated.send({ path: `/v1/estimates?id=${TEST_IDS.generate('est', 'default')}` })).status).toBe(200);
    expect((await rotated.send({ path: `/v1/offsets?id=${generated}` })).status).toBe(200);
    expect(await post({ 'idempotency-key': 'order-1' })).toBe(TEST_IDS.fromKey('default', 'order-1'));
    expect(await post({ 'idempotency-key': generated })).toBe(generated);
  });

  it('signs new ids', async () => {
    const id = await post();
    const after = new Ids({ ids: [NEW], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] });
    expect(after.read('off', id, 'default').verdict).toBe('issued');
    expect(TEST_IDS.read('off', id, 'default').verdict).toBe('not-issued');
  });
});
