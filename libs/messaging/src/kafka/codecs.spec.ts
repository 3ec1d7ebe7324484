import fc from 'fast-check';
import { DecompressionError, decompressLz4, decompressSnappy } from './decompression.js';

const LIMIT = 1_000_000;
const bytes = (...parts: (Buffer | number[] | string)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const u32le = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255];

/** Returns an LZ4 frame of blocks: [compressed?, bytes]. */
const frame = (...blocks: [boolean, Buffer][]) =>
  bytes(
    [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82],
    ...blocks.flatMap(([compressed, block]) => [
      u32le(compressed ? block.length : (block.length | 0x8000_0000) >>> 0),
      block,
    ]),
    [0, 0, 0, 0],
  );
const XERIAL = [0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1];

describe('decompressing LZ4', () => {
  it('returns the original of literals, overlapping repetitions and uncompressed blocks', () => {
    // 3 literals, then 11 bytes from 3 back; the last sequence has literals alone.
    const block = bytes([0x37], 'abc', [3, 0], [0x20], '!?');
    expect(decompressLz4(frame([true, block], [false, Buffer.from('plain')]), LIMIT).toString()).toBe(
      'abcabcabcabcab!?plain',
    );
  });

  it('reads repetitions of an earlier block', () => {
    const again = bytes([0x00], [5, 0], [0x10], '.');
    expect(decompressLz4(frame([false, Buffer.from('hello')], [true, again]), LIMIT).toString()).toBe('hellohell.');
  });

  it.each([
    [
      'a small block that expands to more than a megabyte',
      bytes([0x1f], 'x', [1, 0], Array(5_000).fill(255), [0], [0x10], 'y'),
    ],
    ['a long literal', bytes([0xf0], Array(4_000).fill(255), [0], Buffer.alloc(4_000 * 255 + 15))],
  ])('stops at the bound: %s', (_, block) => {
    expect(() => decompressLz4(frame([true, block]), LIMIT)).toThrow('the records are larger than 1000000 bytes');
  });

  it.each([
    ['something else', Buffer.from('hello, world')],
    ['a back-reference to before the start', frame([true, bytes([0x10], 'a', [2, 0], [0x10], 'b')])],
    ['a frame of another version', bytes([0x04, 0x22, 0x4d, 0x18, 0xa0, 0x40, 0x82, 0, 0, 0, 0])],
    ['a literal beyond the end', frame([true, bytes([0xf0], [200], 'abc')])],
  ])('refuses %s', (_, damaged) => {
    expect(() => decompressLz4(damaged, LIMIT)).toThrow(DecompressionError);
  });
});

describe('decompressing snappy', () => {
  const chunk = bytes([14], [0x08], 'abc', [0x1d, 3]);

  it('returns the original, with and without a frame', () => {
    expect(decompressSnappy(chunk, LIMIT).toString()).toBe('abcabcabcabcab');
    const framed = bytes(XERIAL, [0, 0, 0, chunk.length], chunk, [0, 0, 0, chunk.length], chunk);
    expect(decompressSnappy(framed, LIMIT).toString()).toBe('abcabcabcabcab'.repeat(2));
  });

  it('reads long literals and long distances', () => {
    const text = 'x'.repeat(70_000);
    // Literal length in three bytes, then copies with distances of two and of four bytes.
    const literal = bytes([62 << 2, ...u32le(text.length - 1).slice(0, 3)], text);
    const long = bytes(varint(text.length + 8), literal, [0x0e, 4, 0], [0x0f, 0x70, 0x11, 1, 0]);
    expect(decompressSnappy(long, LIMIT)).toHaveLength(text.length + 8);
  });

  it.each([
    ['fewer bytes than the header says', bytes([20], [0x08], 'abc')],
    ['a back-reference to before the start', bytes([7], [0x08], 'abc', [0x01, 9])],
    ['a distance into the chunk before', bytes(XERIAL, [0, 0, 0, 5], [3], [0x08], 'abc', [0, 0, 0, 3], [4], [0x01, 1])],
    ['a chunk beyond the end', bytes(XERIAL, [0, 1, 0, 0], 'abc')],
  ])('refuses %s', (_, damaged) => {
    expect(() => decompressSnappy(damaged, LIMIT)).toThrow(DecompressionError);
  });

  it('stops at the bound', () => {
    const copies = Array.from({ length: 20_000 }, () => [0xfe, 1, 0]).flat();
    expect(() => decompressSnappy(bytes(varint(1 + 20_000 * 64), [0], 'x', copies), LIMIT)).toThrow(
      'the records are larger than 1000000 bytes',
    );
  });
});

describe('decompressing arbitrary bytes', () => {
  const START = { lz4: frame().subarray(0, 7), snappy: Buffer.from(XERIAL), bare: Buffer.from([200, 1]) };

  it.each([
    ['LZ4', decompressLz4, START.lz4],
    ['framed snappy', decompressSnappy, START.snappy],
    ['bare snappy', decompressSnappy, START.bare],
  ] as const)('ends within the bound, with a result or an error: %s', (_, decompress, start) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        try {
          expect(decompress(Buffer.concat([start, noise]), 10_000).length).toBeLessThanOrEqual(10_000);
        } catch (error) {
          if (!['DecompressionError', 'RangeError'].includes((error as Error).name)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
