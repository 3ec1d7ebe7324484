import { LIST_PARAMETERS } from '@carbon/contracts';
import { gatewayBefore } from '../../test-before.js';
import { problem } from '../../test-client.js';
import { TEST_IDS } from '../../test-gateway.js';

const issued = TEST_IDS.mint('off', 'default');
const item = (field: string, code: string) => expect.objectContaining({ field, code });

const others = Object.keys(LIST_PARAMETERS);
const notWithId = (field: string) => ({ field, code: 'invalid_parameter', detail: 'cannot be sent together with id' });

const offsets = gatewayBefore('OFFSETS_URL');

const get = (query: string) => offsets.ask({ path: `/v1/offsets?${query}` });

describe('GET /v1/offsets?id=, malformed', () => {
  it.each([
    'off_1',
    'nonsense',
    issued.toUpperCase(),
    `${issued}0`,
    issued.slice(0, -1),
    issued.replace('off_', 'est_'),
    `${issued}%20`,
    '%00',
  ])('answers 400 to %s, which has not the form of an id', async (id) => {
    expect(await get(`id=${id}`)).toEqual(
      problem(400, 'invalid_request', { errors: [item('id', 'invalid_parameter')] }),
    );
  });

  it.each([
    ['empty', 'id=', [item('id', 'invalid_parameter')]],
    ['without a value', 'id', [item('id', 'invalid_parameter')]],
    ['given twice', `id=${issued}&id=${issued}`, [item('id', 'duplicate_parameter')]],
    ['beside another parameter', `id=${issued}&limit=1`, [notWithId('limit')]],
    ['beside all others', `id=${issued}&${others.join('=&')}=`, others.map(notWithId)],
    ['beside one that is not known', `id=${issued}&other=1`, [item('other', 'unknown_parameter')]],
    ['badly encoded', 'id=%zz', [item('id', 'invalid_parameter')]],
    ['followed by a stray &', `id=${issued}&`, [item('', 'unknown_parameter')]],
  ])('answers 400 to an id %s', async (_, query, errors) => {
    expect(await get(query)).toEqual(problem(400, 'invalid_request', { errors }));
  });

  it('asked the offsets service nothing for any of these', () => {
    expect(offsets.asked).toEqual([]);
  });
});
