import { BoundedOutput, DecompressionFailed } from './bounded-output.js';

const MAGIC = 0x184d2204;
const VERSION_MASK = 0xc0;
const VERSION = 0x40;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const DICTIONARY = 0x01;
const UNCOMPRESSED = 0x8000_0000;
const CHECKSUM_BYTES = 4;
const LEAST_MATCH = 4;

/**
 * Decompresses one LZ4 frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), as Kafka's clients write it. Checksums
 * are not verified: TCP and the broker's CRC guard the batch.
 * @throws DecompressionFailed, or RangeError where it ends too early
 */
export function decompressLz4(frame: Buffer, limit: number): Buffer {
  if (frame.readUInt32LE(0) !== MAGIC) throw new DecompressionFailed('the records are no LZ4 frame');
  const flags = frame.readUInt8(4);
  if ((flags & VERSION_MASK) !== VERSION || (flags & DICTIONARY) !== 0)
    throw new DecompressionFailed('the LZ4 frame is of another version or needs a dictionary');
  const output = new BoundedOutput(limit);
  // Magic, flags, block descriptor, perhaps the size, header checksum.
  let at = 4 + 1 + 1 + ((flags & CONTENT_SIZE) === 0 ? 0 : 8) + 1;
  for (;;) {
    const word = frame.readUInt32LE(at);
    if (word === 0) return output.finish();
    const begin = at + 4;
    const end = begin + (word & ~UNCOMPRESSED);
    if ((word & UNCOMPRESSED) !== 0) output.append(frame, begin, end);
    else decompressBlock(frame, begin, end, output);
    at = end + ((flags & BLOCK_CHECKSUM) === 0 ? 0 : CHECKSUM_BYTES);
  }
}

/** Blocks may refer to bytes of the blocks before them. */
function decompressBlock(frame: Buffer, begin: number, end: number, output: BoundedOutput): void {
  if (end > frame.length) throw new DecompressionFailed('the compressed records end too early');
  let at = begin;
  const lengthFrom = (nibble: number) => {
    let length = nibble;
    if (nibble < 15) return length;
    for (;;) {
      const more = frame.readUInt8(at);
      at += 1;
      length += more;
      if (more < 255) return length;
    }
  };
  while (at < end) {
    const token = frame.readUInt8(at);
    at += 1;
    const literals = lengthFrom(token >> 4);
    output.append(frame, at, at + literals);
    at += literals;
    if (at >= end) return;
    const distance = frame.readUInt16LE(at);
    at += 2;
    output.repeat(distance, lengthFrom(token & 15) + LEAST_MATCH);
  }
}
