import { type Settings, startPublishingGateway, useGateway } from '../testing/gateway.js';
import { invalidRequest } from '../testing/http.js';
import { TestKeyFile, testKey } from '../testing/keys.js';

describe.each(['the gateway', 'its API key'])('POST /v1/offsets when %s requires an Idempotency-Key', (which) => {
  const keys = { strict: testKey('strict', { idempotencyKeyRequired: true }), other: testKey('other') };
  const file = new TestKeyFile(Object.values(keys));
  const isPerKey = which === 'its API key';
  const strict = useGateway(
    (): Settings => (isPerKey ? { API_KEYS_FILE: file.path } : { IDEMPOTENCY_KEY_REQUIRED: 'true' }),
    startPublishingGateway,
  );
  const ask = (headers: Readonly<Record<string, string>>) =>
    strict.send({
      method: 'POST',
      path: '/v1/offsets',
      headers: { 'content-type': 'application/json', ...(isPerKey && keys.strict.headers), ...headers },
      body: { kgCO2e: 1 },
    });

  it('refuses a request without one, and accepts it with one', async () => {
    expect(await ask({})).toEqual(invalidRequest(['Idempotency-Key', 'invalid_header']));
    expect((await ask({ 'idempotency-key': 'k' })).status).toBe(202);
    if (isPerKey) expect((await ask(keys.other.headers)).status).toBe(202);
  });
});
