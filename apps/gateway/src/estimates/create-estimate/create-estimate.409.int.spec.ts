import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { says } from '../../test-upstream.js';

const offsets = gatewayBefore('OFFSETS_URL');

describe('POST /v1/estimates for more than there is', () => {
  it('gives the offsets service’s 409 as it is, and names no address', async () => {
    const refusal = JSON.stringify({
      type: '/problems/insufficient_supply',
      title: 'Not enough credits are available',
      status: 409,
      detail: 'Ask for less, or later.',
      instance: 'r-1',
      code: 'insufficient_supply',
    });
    offsets.answers(says(409, 'application/problem+json', refusal));
    const answer = await offsets.ask({ method: 'POST', path: '/v1/estimates', body: { kgCO2e: 1e12 } });
    expect(answer).toEqual(problem(409, 'insufficient_supply'));
    expect(answer.body.toString()).toBe(refusal);
    expect(answer.headers).not.toHaveProperty('location');
  });
});
