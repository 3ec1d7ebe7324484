import { UserFault } from '@carbon/faults';
import fc from 'fast-check';
import { Cursors } from './cursors.js';

const scope = {
  route: '/v1/assets/pools',
  account: 'default',
  parameters: { criteria: 'rating>3', fullTextSearch: '' },
};
const place = [4.5, 'Côte "d\'Ivoire"', 'pool_a'];
const cursors = new Cursors(['first-secret', 'second-secret']);

describe('Cursors', () => {
  it('reads what it wrote', () => {
    expect(cursors.read(cursors.write(place, scope), scope)).toEqual(place);
  });

  it('reads a place where something is absent', () => {
    expect(cursors.read(cursors.write([null, 'pool_a'], scope), scope)).toEqual([null, 'pool_a']);
  });

  it('writes what needs no encoding in a URL', () => {
    expect(cursors.write(place, scope)).toMatch(/^[\w-]+$/);
  });

  it('reads what another instance signed with any of its secrets, and signs with the first', () => {
    expect(cursors.read(new Cursors(['second-secret']).write(place, scope), scope)).toEqual(place);
    expect(new Cursors(['first-secret']).read(cursors.write(place, scope), scope)).toEqual(place);
  });

  it.each([
    ['another route', { ...scope, route: '/v1/assets/projects' }],
    ['another account', { ...scope, account: 'other' }],
    ['another criteria', { ...scope, parameters: { ...scope.parameters, criteria: 'rating>4' } }],
    ['an order', { ...scope, parameters: { ...scope.parameters, sort: 'name' } }],
    ['other fields', { ...scope, parameters: { ...scope.parameters, fields: 'id' } }],
    ['another full text', { ...scope, parameters: { ...scope.parameters, fullTextSearch: ' ' } }],
  ])('refuses a cursor of %s', (_, other) => {
    expect(() => cursors.read(cursors.write(place, other), scope)).toThrow(UserFault);
  });

  it('refuses whatever else', () => {
    const good = cursors.write(place, scope);
    const changed = [...good].map(
      (character, at) => good.slice(0, at) + (character === 'A' ? 'B' : 'A') + good.slice(at + 1),
    );
    const strangers = ['', 'A', '=', good.slice(0, -1), `${good}A`, `${good}=`, ` ${good}`, good.slice(0, 21), '💥'];
    const foreign = new Cursors(['unknown']).write(place, scope);
    for (const cursor of [...changed, ...strangers, foreign]) {
      expect(() => cursors.read(cursor, scope)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
    }
  });

  it('refuses anything at all that it did not write', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => cursors.read(text, scope)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
      }),
    );
  });
});
