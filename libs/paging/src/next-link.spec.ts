import { nextAddress, nextLink } from './next-link.js';

describe('the address of the next page', () => {
  it('keeps every parameter behind an absolute path', () => {
    const parameters = { criteria: 'name:"a & b" and (rating>3, +1)', fullTextSearch: '', limit: 2, cursor: 'x-_' };
    const address = nextAddress('/v1/assets/pools', parameters);
    expect(address).toBe(
      '/v1/assets/pools?criteria=name:%22a+%26+b%22+and+(rating%3E3%2C+%2B1)&fullTextSearch=&limit=2&cursor=x-_',
    );
    const query = new URL(address, 'http://host').searchParams;
    expect(Object.fromEntries(query)).toEqual({ ...parameters, limit: '2' });
  });

  it('reads as what was written, whatever characters stand in it', () => {
    const all = `${Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).join('')}森🌳%3A%20`;
    const address = nextAddress('/v1/assets/pools', { criteria: all });
    expect(new URL(address, 'http://host').searchParams.get('criteria')).toBe(all);
    expect(address).toMatch(/^[!-~]+$/);
    expect(address).not.toMatch(/[<>"\\^`{|},]/);
  });

  it('is no longer than what was sent as short as it can be', () => {
    const criteria = 'name:"a"+and+source=VERRA/x'.replaceAll('"', '%22');
    const sent = `/v1/assets/pools?criteria=${criteria}`;
    expect(nextAddress('/v1/assets/pools', { criteria: 'name:"a" and source=VERRA/x' })).toHaveLength(sent.length);
  });
});

describe('nextLink', () => {
  it('leads there', () => {
    expect(nextLink('/v1/assets/pools?cursor=a')).toBe('</v1/assets/pools?cursor=a>; rel="next"');
  });
});
