import fc from 'fast-check';
import { repeatedMembers } from './repeated-members.js';

const repeated = (text: string) => repeatedMembers(text, JSON.parse(text));
const value = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.array(fc.string()));

describe('members that stand twice', () => {
  it('are told once each, however they are written', () => {
    expect(repeated('{"a":1, "b" : ":", "\\u0061"\t:2, "b":3, "b":4}')).toEqual([
      'a stands there twice',
      'b stands there twice',
    ]);
  });

  it.each(['{}', '{"a":"\\\\","b":"\\":"}', '[{"a":1},{"b":1}]', '"a:b"', '{"a":["b:c",":"]}', '{"__proto__":1}'])(
    'are none in %s',
    (text) => {
      expect(repeated(text)).toEqual([]);
    },
  );

  it('are found in any flat object, and none where there are none', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), value, { minKeys: 1 }), fc.nat(), (members, pick) => {
        const text = JSON.stringify(members);
        expect(repeated(text)).toEqual([]);
        const names = Object.keys(JSON.parse(text));
        const name = names[pick % names.length] ?? '';
        expect(repeated(`${text.slice(0, -1)},${JSON.stringify(name)}:0}`)).toEqual([`${name} stands there twice`]);
      }),
    );
  });
});
