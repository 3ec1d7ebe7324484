import { instant } from '@carbon/contracts';
import { firstMillisecondFrom } from './instant.js';

describe('a time in a query', () => {
  it.each([
    ['2026-01-31T00:00:00Z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31t00:00:00z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T00:00:00.5Z', '2026-01-31T00:00:00.500Z'],
    ['2026-01-31T00:00:00+05:30', '2026-01-30T18:30:00.000Z'],
    ['2026-01-31T00:00:00-00:00', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ])('%s is read', (text, time) => {
    expect(instant.parse(text)).toBe(text);
    expect(firstMillisecondFrom(text)).toBe(time);
  });

  it('is never before what was said, though no row is written more exactly than to the millisecond', () => {
    expect(firstMillisecondFrom('2026-01-31T00:00:00.0000001Z')).toBe('2026-01-31T00:00:00.001Z');
    expect(firstMillisecondFrom('2026-01-31T00:00:00.1239999Z')).toBe('2026-01-31T00:00:00.124Z');
    expect(firstMillisecondFrom('2026-01-31T00:00:00.1230000Z')).toBe('2026-01-31T00:00:00.123Z');
    expect(firstMillisecondFrom('2026-12-31T23:59:59.9999+00:00')).toBe('2027-01-01T00:00:00.000Z');
  });

  it('may be of a year that no row can have', () => {
    expect(firstMillisecondFrom(instant.parse('0000-01-01T00:00:00Z'))).toBe('-infinity');
    expect(firstMillisecondFrom(instant.parse('0001-01-01T00:00:00+01:00'))).toBe('-infinity');
    expect(firstMillisecondFrom(instant.parse('9999-12-31T23:59:59-01:00'))).toBe('infinity');
  });

  it.each([
    '2026-01-31',
    '2026-01-31T00:00:00',
    '2026-02-29T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31 00:00:00Z',
    '2026-01-31T00:00:00+0530',
    '+002026-01-31T00:00:00Z',
    '1769817600',
    'now',
    ' 2026-01-31T00:00:00Z',
  ])('%s is none', (text) => {
    expect(instant.safeParse(text).error?.issues[0]?.message).toBe(
      'must be a time such as 2026-01-31T00:00:00Z (RFC 3339)',
    );
  });

  it('whose plus sign was read as a space is told to be encoded', () => {
    expect(instant.safeParse('2026-01-31T00:00:00 05:30').error?.issues[0]).toMatchObject({
      params: { hint: 'a + inside a value must be sent as %2B' },
    });
  });
});
