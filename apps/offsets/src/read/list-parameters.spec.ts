import { UserFault } from '@carbon/faults';
import { readListQuestion } from './list-parameters.js';

const read = (query: string) => readListQuestion(`/v1/offsets${query}`);

function itemsOf(query: string) {
  try {
    read(query);
  } catch (error) {
    if (error instanceof UserFault && error.code === 'invalid_request') return error.items;
    throw error;
  }
  throw new Error('it was taken');
}

describe('the parameters of the list', () => {
  it('are all optional', () => {
    expect(read('')).toEqual({ filters: {}, limit: 20, cursor: undefined });
  });

  it('are read, alone and together', () => {
    const filters = {
      status: 'failed',
      customerRef: 'a b&c',
      estimateId: 'any text',
      createdFrom: '2026-01-01T00:00:00+01:00',
      createdTo: '2026-02-01T00:00:00Z',
    };
    for (const [name, value] of Object.entries(filters)) {
      expect(read(`?${new URLSearchParams({ [name]: value })}`).filters).toEqual({ [name]: value });
    }
    expect(read(`?limit=7&cursor=x&${new URLSearchParams(filters)}`)).toEqual({ filters, limit: 7, cursor: 'x' });
  });

  it('are all told at once where they are wrong', () => {
    const items = itemsOf(
      `?status=done&customerRef=&estimateId=${'x'.repeat(257)}&createdFrom=2026-01-01&createdTo=&limit=0&Status=queued&cursor=a&cursor=b`,
    );
    expect(items.map(({ field, code }) => [field, code])).toEqual([
      ['status', 'invalid_parameter'],
      ['customerRef', 'invalid_parameter'],
      ['estimateId', 'invalid_parameter'],
      ['createdFrom', 'invalid_parameter'],
      ['createdTo', 'invalid_parameter'],
      ['limit', 'invalid_parameter'],
      ['Status', 'unknown_parameter'],
      ['cursor', 'duplicate_parameter'],
    ]);
  });

  it.each([
    ['?status=done', 'must be one of queued, processing, completed, failed'],
    ['?status=Queued', 'must be one of queued, processing, completed, failed'],
    ['?status=queued,failed', 'must be one of queued, processing, completed, failed'],
    ['?customerRef=%00', 'must not contain control characters'],
    [`?customerRef=${'x'.repeat(257)}`, 'must be 1 to 256 characters long'],
    ['?createdFrom=yesterday', 'must be a time such as 2026-01-31T00:00:00Z (RFC 3339)'],
    ['?createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-02T01:00:00%2B01:00', 'must be later than createdFrom'],
    ['?createdFrom=2026-01-02T00:00:00Z&createdTo=2026-01-01T00:00:00Z', 'must be later than createdFrom'],
  ])('%s is refused: %s', (query, detail) => {
    expect(itemsOf(query)).toEqual([expect.objectContaining({ code: 'invalid_parameter', detail })]);
  });

  it('has a hint for a time zone whose plus sign was not encoded', () => {
    expect(itemsOf('?createdTo=2026-01-31T00:00:00+01:00')).toEqual([
      expect.objectContaining({ field: 'createdTo', hint: 'a + inside a value must be sent as %2B' }),
    ]);
  });
});
