import { BoundedOutput, DecompressionFailed } from './bounded-output.js';

/** How Kafka's Java client begins: the frame of snappy-java, chunks with their lengths before them. */
const FRAME = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const FRAME_HEADER_BYTES = 16;
/** A literal up to this says its length in the tag; a longer one in one to four bytes behind it. */
const SHORT_LITERAL = 60;

/**
 * Decompresses snappy (https://github.com/google/snappy/blob/main/format_description.txt), framed as Kafka's Java client writes it,
 * or bare as others do.
 * @throws DecompressionFailed, or RangeError where it ends too early
 */
export function decompressSnappy(bytes: Buffer, limit: number): Buffer {
  const output = new BoundedOutput(limit);
  if (!bytes.subarray(0, FRAME.length).equals(FRAME)) {
    decompressChunk(bytes, output);
    return output.finish();
  }
  for (let at = FRAME_HEADER_BYTES; at < bytes.length; ) {
    const begin = at + 4;
    const end = begin + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new DecompressionFailed('the compressed records end too early');
    decompressChunk(bytes.subarray(begin, end), output);
    at = end;
  }
  return output.finish();
}

/** A chunk refers to bytes of its own alone. */
function decompressChunk(chunk: Buffer, output: BoundedOutput): void {
  const begin = output.length;
  const { value: length, next } = readVarint(chunk);
  let at = next;
  while (at < chunk.length) {
    const tag = chunk.readUInt8(at);
    at += 1;
    if ((tag & 3) === 0) {
      const { value, bytes } = literalLength(chunk, at, tag >> 2);
      at += bytes;
      output.append(chunk, at, at + value);
      at += value;
    } else {
      const { distance, count, bytes } = copyOf(chunk, at, tag);
      at += bytes;
      if (distance > output.length - begin)
        throw new DecompressionFailed('the compressed records refer to bytes before their beginning');
      output.repeat(distance, count);
    }
  }
  if (output.length - begin !== length)
    throw new DecompressionFailed('the compressed records are not as long as they say');
}

function literalLength(chunk: Buffer, at: number, short: number): { value: number; bytes: number } {
  if (short < SHORT_LITERAL) return { value: short + 1, bytes: 0 };
  const bytes = short - SHORT_LITERAL + 1;
  return { value: chunk.readUIntLE(at, bytes) + 1, bytes };
}

function copyOf(chunk: Buffer, at: number, tag: number): { distance: number; count: number; bytes: number } {
  const kind = tag & 3;
  if (kind === 1) return { distance: ((tag >> 5) << 8) | chunk.readUInt8(at), count: ((tag >> 2) & 7) + 4, bytes: 1 };
  const bytes = kind === 2 ? 2 : 4;
  return { distance: chunk.readUIntLE(at, bytes), count: (tag >> 2) + 1, bytes };
}

function readVarint(chunk: Buffer): { value: number; next: number } {
  let value = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = chunk.readUInt8(at);
    value += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { value, next: at + 1 };
  }
  throw new DecompressionFailed('the compressed records do not say how long they are');
}
