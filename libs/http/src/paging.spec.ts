import fc from 'fast-check';
import { RequestError } from './errors.js';
import { Cursors, nextLink, nextPageUrl } from './paging.js';

const parameters = { criteria: 'rating>3', fullTextSearch: '' };
const scope = { route: '/v1/assets/pools', account: 'default', parameters };
const place = [4.5, 'Côte "d\'Ivoire"', 'pool_a'];
const cursors = new Cursors(['first-secret', 'second-secret']);

describe('a cursor', () => {
  it('contains the sort values it was written with, and needs no encoding in a URL', () => {
    for (const written of [place, [null, 'pool_a']]) {
      const cursor = cursors.write(written, scope);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(cursors.read(cursor, scope)).toEqual(written);
    }
  });

  it('is signed with the first secret and verified with any', () => {
    expect(cursors.read(new Cursors(['second-secret']).write(place, scope), scope)).toEqual(place);
    expect(new Cursors(['first-secret']).read(cursors.write(place, scope), scope)).toEqual(place);
  });

  it.each([
    ['route', { ...scope, route: '/v1/assets/projects' }],
    ['account', { ...scope, account: 'other' }],
    ['criteria', { ...scope, parameters: { ...parameters, criteria: 'rating>4' } }],
    ['order', { ...scope, parameters: { ...parameters, sort: 'name' } }],
    ['fields', { ...scope, parameters: { ...parameters, fields: 'id' } }],
    ['full text', { ...scope, parameters: { ...parameters, fullTextSearch: ' ' } }],
  ])('is rejected with another %s', (_, other) => {
    expect(() => cursors.read(cursors.write(place, other), scope)).toThrow(RequestError);
  });

  it('is rejected when any character is changed or it was never written', () => {
    const good = cursors.write(place, scope);
    const changed = [...good].map((sign, at) => good.slice(0, at) + (sign === 'A' ? 'B' : 'A') + good.slice(at + 1));
    const invalid = ['', 'A', '=', good.slice(0, -1), `${good}A`, `${good}=`, ` ${good}`, good.slice(0, 21), '💥'];
    const rejected = expect.objectContaining({ code: 'invalid_cursor' });
    for (const cursor of [...changed, ...invalid, new Cursors(['unknown']).write(place, scope)]) {
      expect(() => cursors.read(cursor, scope)).toThrow(rejected);
    }
    fc.assert(fc.property(fc.string(), (text) => expect(() => cursors.read(text, scope)).toThrow(rejected)));
  });
});

describe('the URL of the next page', () => {
  it('has every parameter behind an absolute path, and is the target of the link', () => {
    const all = { criteria: 'name:"a & b" and (rating>3, +1)', fullTextSearch: '', limit: 2, cursor: 'x-_' };
    const address = nextPageUrl('/v1/assets/pools', all);
    const query = 'criteria=name:%22a+%26+b%22+and+(rating%3E3%2C+%2B1)&fullTextSearch=&limit=2&cursor=x-_';
    expect(address).toBe(`/v1/assets/pools?${query}`);
    expect(Object.fromEntries(new URL(address, 'http://host').searchParams)).toEqual({ ...all, limit: '2' });
    expect(nextLink(address)).toBe(`<${address}>; rel="next"`);
  });

  it('keeps every character of a value', () => {
    const criteria = `${Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)).join('')}森🌳%3A%20`;
    const address = nextPageUrl('/v1/assets/pools', { criteria });
    expect(new URL(address, 'http://host').searchParams.get('criteria')).toBe(criteria);
    expect(address).toMatch(/^[!-~]+$/);
    expect(address).not.toMatch(/[<>"\\^`{|},]/);
  });

  it('encodes no more characters than necessary', () => {
    const address = nextPageUrl('/v1/assets/pools', { criteria: 'name:"a" and source=VERRA/x' });
    expect(address).toHaveLength('/v1/assets/pools?criteria=name:%22a%22+and+source=VERRA/x'.length);
  });
});
