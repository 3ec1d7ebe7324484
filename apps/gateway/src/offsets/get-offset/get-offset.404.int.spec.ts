import { Ids } from '@carbon/contracts';
import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { TEST_SECRETS } from '../../test-gateway.js';

const secrets = { ids: [TEST_SECRETS.ID_SECRETS], idempotency: [TEST_SECRETS.IDEMPOTENCY_SECRETS] };
const ids = new Ids(secrets);
const issued = ids.mint('off', 'default');

const offsets = gatewayBefore('OFFSETS_URL');

const get = (query: string) => offsets.ask({ path: `/v1/offsets?${query}` });

describe('GET /v1/offsets?id=, not issued to this account', () => {
  it.each([
    ['forged', `${issued.slice(0, -1)}${issued.endsWith('0') ? '1' : '0'}`],
    ['made up', `off_${'7'.repeat(26)}`],
    ['another account’s', ids.mint('off', 'other')],
    ['another account’s by key', ids.fromKey('other', 'order-7')],
    ['of another system', new Ids({ ids: ['x'], idempotency: ['y'] }).mint('off', 'default')],
  ])('answers 404 to an id that is %s', async (_, id) => {
    expect(await get(`id=${id}`)).toEqual(problem(404, 'not_found'));
  });

  it('asked the offsets service nothing for any of these', () => {
    expect(offsets.asked).toEqual([]);
  });

  it('tells a foreign id from a made-up one in nothing but the request id', async () => {
    const [foreign, madeUp] = [await get(`id=${ids.mint('off', 'other')}`), await get(`id=off_${'7'.repeat(26)}`)];
    const strip = ({ json }: { json: unknown }) => ({ ...Object(json), instance: '' });
    expect(strip(foreign)).toEqual(strip(madeUp));
  });
});
