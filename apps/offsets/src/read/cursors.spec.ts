import { UserFault } from '@carbon/faults';
import fc from 'fast-check';
import { Cursors } from './cursors.js';

const SCOPE = ['/v1/offsets', 'default'];
const PLACE = ['2026-11-21T08:00:00.000Z', 'off_00000000000000000000000001'];
const cursors = new Cursors(['first secret', 'second secret']);
const sealed = cursors.seal(SCOPE, PLACE);

const refused = (work: () => unknown) => {
  expect(work).toThrow(UserFault);
  expect(work).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
};

describe('a cursor', () => {
  it('gives back the place it was made for, and fits a URL', () => {
    expect(cursors.open(SCOPE, sealed)).toEqual(PLACE);
    expect(sealed).toMatch(/^[A-Za-z0-9_.-]+$/);
  });

  it('holds in every instance that knows the secret, first or not', () => {
    expect(new Cursors(['third secret', 'first secret']).open(SCOPE, sealed)).toEqual(PLACE);
    refused(() => new Cursors(['third secret']).open(SCOPE, sealed));
  });

  it.each([
    ['another account', ['/v1/offsets', 'other']],
    ['another route', ['/v1/retirements', 'default']],
    ['other parameters', ['/v1/offsets', 'default', 'status=failed']],
    ['the same letters, cut elsewhere', ['/v1/offsetsd', 'efault']],
  ])('is refused for %s', (_, scope) => {
    refused(() => cursors.open(scope, sealed));
  });

  it('is refused with any letter changed, added or left out', () => {
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'Aa0-_.'), (place, letter) => {
        const changed = sealed.slice(0, place) + letter + sealed.slice(place + 1);
        if (changed !== sealed) refused(() => cursors.open(SCOPE, changed));
        refused(() => cursors.open(SCOPE, sealed.slice(0, place) + sealed.slice(place + 1)));
        refused(() => cursors.open(SCOPE, sealed + letter));
      }),
    );
  });

  it('is refused when it is anything at all', () => {
    fc.assert(fc.property(fc.string(), (text) => refused(() => cursors.open(SCOPE, text))));
  });
});
