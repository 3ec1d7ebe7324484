/** Thrown when compressed records are damaged, or would be larger than the limit. */
export class DecompressionError extends Error {
  override readonly name = 'DecompressionError';
}

const INITIAL_BYTES = 65_536;

/** The output of a decompressor, which can copy bytes that it has already written. Grows up to a limit. */
class BoundedOutput {
  private bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  private written = 0;

  constructor(private readonly limit: number) {}

  /** Bytes written so far. */
  get length(): number {
    return this.written;
  }

  /**
   * Writes the bytes of `source` from `start` up to `end`.
   * @throws DecompressionError if the source ends before `end`, or the output would exceed the limit
   */
  append(source: Buffer, start: number, end: number): void {
    if (end > source.length) throw new DecompressionError('the compressed records end too early');
    this.makeRoom(end - start);
    source.copy(this.bytes, this.written, start, end);
    this.written += end - start;
  }

  /**
   * Copies `count` bytes, beginning `distance` bytes before the end of the output. `count` may exceed `distance`: then the copied
   * bytes repeat.
   * @throws DecompressionError if they begin before the output, or the output would exceed the limit
   */
  repeat(distance: number, count: number): void {
    if (distance < 1 || distance > this.written)
      throw new DecompressionError('the compressed records refer to bytes before their beginning');
    this.makeRoom(count);
    const begin = this.written - distance;
    // The bytes from `begin` to `written` repeat every `distance` bytes, so each copy may take all of them.
    for (let left = count; left > 0; ) {
      const some = Math.min(left, this.written - begin);
      this.bytes.copyWithin(this.written, begin, begin + some);
      this.written += some;
      left -= some;
    }
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.written);
  }

  private makeRoom(count: number): void {
    const needed = this.written + count;
    if (needed > this.limit) throw new DecompressionError(`the records are larger than ${this.limit} bytes`);
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.min(this.limit, Math.max(needed, 2 * this.bytes.length)));
    this.bytes.copy(grown, 0, 0, this.written);
    this.bytes = grown;
  }
}

const LZ4_MAGIC = 0x184d2204;
const VERSION_MASK = 0xc0;
const VERSION = 0x40;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const DICTIONARY = 0x01;
const UNCOMPRESSED = 0x8000_0000;
const CHECKSUM_BYTES = 4;
const MIN_MATCH = 4;

/**
 * Decompresses one LZ4 frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), as Kafka's clients write it. Its checksums
 * are not verified, because the broker has verified the CRC of the batch, and TCP protects the transfer.
 * @throws DecompressionError, or RangeError where it ends too early
 */
export function decompressLz4(frame: Buffer, limit: number): Buffer {
  if (frame.readUInt32LE(0) !== LZ4_MAGIC) throw new DecompressionError('the records are not an LZ4 frame');
  const flags = frame.readUInt8(4);
  if ((flags & VERSION_MASK) !== VERSION || (flags & DICTIONARY) !== 0)
    throw new DecompressionError('the LZ4 frame has an unsupported version or needs a dictionary');
  const output = new BoundedOutput(limit);
  // Magic, flags, block descriptor, optional content size, header checksum.
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
  if (end > frame.length) throw new DecompressionError('the compressed records end too early');
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
    output.repeat(distance, lengthFrom(token & 15) + MIN_MATCH);
  }
}

/** The magic of snappy-java's framing, which Kafka's Java client writes: a header, then chunks, each preceded by its length. */
const SNAPPY_JAVA_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const SNAPPY_JAVA_HEADER_BYTES = 16;
/** A shorter literal has its length in the tag, a longer one in the one to four bytes after it. */
const SHORT_LITERAL = 60;

/**
 * Decompresses snappy (https://github.com/google/snappy/blob/main/format_description.txt), framed as Kafka's Java client writes it,
 * or without a frame, as other clients write it.
 * @throws DecompressionError, or RangeError where it ends too early
 */
export function decompressSnappy(bytes: Buffer, limit: number): Buffer {
  const output = new BoundedOutput(limit);
  if (!bytes.subarray(0, SNAPPY_JAVA_MAGIC.length).equals(SNAPPY_JAVA_MAGIC)) {
    decompressChunk(bytes, output);
    return output.finish();
  }
  for (let at = SNAPPY_JAVA_HEADER_BYTES; at < bytes.length; ) {
    const begin = at + 4;
    const end = begin + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new DecompressionError('the compressed records end too early');
    decompressChunk(bytes.subarray(begin, end), output);
    at = end;
  }
  return output.finish();
}

/** A chunk refers only to its own bytes. */
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
        throw new DecompressionError('the compressed records refer to bytes before their beginning');
      output.repeat(distance, count);
    }
  }
  if (output.length - begin !== length)
    throw new DecompressionError('the length of the decompressed records differs from the declared length');
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
  throw new DecompressionError('the compressed records declare no valid length');
}
