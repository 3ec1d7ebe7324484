import { Ids } from '@carbon/contracts';
import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { TEST_IDS } from '../../test-gateway.js';

const issued = TEST_IDS.mint('off', 'default');

const offsets = gatewayBefore('OFFSETS_URL');

const get = (query: string) => offsets.ask({ path: `/v1/offsets?${query}` });

describe('GET /v1/offsets?id=, not issued to this account', () => {
  it.each([
    ['forged', `${issued.slice(0, -1)}${issued.endsWith('0') ? '1' : '0'}`],
    ['made up', `off_${'7'.repeat(26)}`],
    ['another account’s', TEST_IDS.mint('off', 'other')],
    ['another account’s by key', TEST_IDS.fromKey('other', 'order-7')],
    ['of another system', new Ids({ ids: ['x'], idempotency: ['y'] }).mint('off', 'default')],
  ])('answers 404 to an id that is %s', async (_, id) => {
    expect(await get(`id=${id}`)).toEqual(problem(404, 'not_found'));
  });

  it('asked the offsets service nothing for any of these', () => {
    expect(offsets.asked).toEqual([]);
  });

  it('tells a foreign id from a made-up one in nothing but the request id', async () => {
    const [foreign, madeUp] = [await get(`id=${TEST_IDS.mint('off', 'other')}`), await get(`id=off_${'7'.repeat(26)}`)];
    const strip = ({ json }: { json: unknown }) => ({ ...Object(json), instance: '' });
    expect(strip(foreign)).toEqual(strip(madeUp));
  });
});
