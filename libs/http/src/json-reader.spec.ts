import fc from 'fast-check';
import { RequestError } from './errors.js';
import { readJson } from './json-reader.js';

const read = (text: string, depth = 8) => readJson(Buffer.from(text, 'utf8'), depth);

function detailOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestError && error.code === 'invalid_json') return error.detail;
    throw error;
  }
  throw new Error('the text was accepted');
}

describe('readJson', () => {
  it('reads every JSON text as the value that JSON.parse returns', () => {
    const value = fc
      .jsonValue({ maxDepth: 6, noUnicodeString: false })
      .filter((any) => !/__proto__|constructor|prototype/.test(JSON.stringify(any)));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (any, indent) => {
        const text = JSON.stringify(any, null, indent);
        expect(read(text, 20)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts no text that JSON.parse rejects', () => {
    const PIECES = [...'{}[],:"\\1-.e0 \n\'\u0001', '"a"', 'true', 'nul', '/*'];
    const piece = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        if (parses(text)) return;
        expect(() => read(text, 20)).toThrow(RequestError);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['{"a": 1,}', 'The body is not valid JSON at line 1, column 9: expected a key in double quotes, found "}".'],
    ["{'a': 1}", 'The body is not valid JSON at line 1, column 2: expected a key in double quotes, found "\'".'],
    ['{\n  "a" 1\n}', 'The body is not valid JSON at line 2, column 7: expected ":", found "1".'],
    ['{"a": 1', 'The body is not valid JSON at line 1, column 8: expected "," or "}", found the end.'],
    ['[1 2]', 'The body is not valid JSON at line 1, column 4: expected "," or "]", found "2".'],
    ['{"a": undefined}', 'The body is not valid JSON at line 1, column 7: expected a value, found "u".'],
    ['{"a": 01}', 'The body is not valid JSON at line 1, column 8: expected "," or "}", found "1".'],
    ['1 2', 'The body is not valid JSON at line 1, column 3: expected nothing after the value, found "2".'],
    ['{"a": 1, "b": {"a": 2}, "a": 3}', 'The key "a" occurs twice (line 1, column 25).'],
    ['{"\\u0061": 1, "a": 2}', 'The key "a" occurs twice (line 1, column 15).'],
    ['[{"__proto__": 1}]', 'The key "__proto__" is not allowed (line 1, column 3).'],
    ['\uFEFF1', 'The body starts with a byte order mark. Remove it.'],
    ['', 'The body is empty. Send a JSON object.'],
    ['[NaN]', 'The body is not valid JSON at line 1, column 2: expected a value, found "N".'],
    ['{"constructor": 1}', 'The key "constructor" is not allowed (line 1, column 2).'],
    ['{"__pr\\u006fto__": 1}', 'The key "__proto__" is not allowed (line 1, column 2).'],
    [' \n ', 'The body is not valid JSON at line 2, column 2: expected a value, found the end.'],
  ])('rejects %j with the position of the error', (text, detail) => {
    expect(detailOf(() => read(text))).toBe(detail);
  });

  it('counts both objects and arrays towards the depth', () => {
    expect(read('[{"a":[1]}]', 3)).toEqual([{ a: [1] }]);
    expect(detailOf(() => read('[{"a":[[1]]}]', 3))).toBe('The body is nested deeper than 3 levels.');
  });

  it('rejects overlong, truncated and surrogate UTF-8', () => {
    const overlong = [0xc0, 0xaf];
    for (const bytes of [overlong, [0xe2, 0x82], [0xed, 0xa0, 0x80]]) {
      expect(detailOf(() => readJson(Buffer.from([0x22, ...bytes, 0x22]), 8))).toMatch('not valid UTF-8');
    }
  });

  it('reads adversarial bodies of the maximum size in linear time', () => {
    const strings = [`"${'\\'.repeat(16_000)}`, `"${'a'.repeat(16_000)}`];
    const awkward = [...strings, '-'.repeat(16_000), ' '.repeat(16_000), `[${'1,'.repeat(8_000)}`];
    const begin = process.cpuUsage();
    for (const text of awkward) expect(() => read(text)).toThrow(RequestError);
    // CPU time in microseconds, which other processes do not affect.
    expect(process.cpuUsage(begin).user).toBeLessThan(500_000);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
