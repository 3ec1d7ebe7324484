/** Compressed records that cannot be decompressed, or only beyond the bound. */
export class DecompressionFailed extends Error {
  override readonly name = 'DecompressionFailed';
}

const FIRST_BYTES = 65_536;

/** The output of a decompressor that refers back to what it has written. It grows as it is written, up to a bound. */
export class BoundedOutput {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private written = 0;

  constructor(private readonly limit: number) {}

  /** Bytes written so far. */
  get length(): number {
    return this.written;
  }

  /** Writes the bytes of `source` from `start` up to `end`. @throws DecompressionFailed where the source ends before, or beyond the bound */
  append(source: Buffer, start: number, end: number): void {
    if (end > source.length) throw new DecompressionFailed('the compressed records end too early');
    this.makeRoom(end - start);
    source.copy(this.bytes, this.written, start, end);
    this.written += end - start;
  }

  /** Writes `count` bytes again, those from `distance` bytes back on; they may overlap what is written. @throws DecompressionFailed */
  repeat(distance: number, count: number): void {
    if (distance < 1 || distance > this.written)
      throw new DecompressionFailed('the compressed records refer to bytes before their beginning');
    this.makeRoom(count);
    const begin = this.written - distance;
    // What lies between `begin` and `written` has the period `distance`, so each copy may be as long as all of it.
    for (let left = count; left > 0; ) {
      const some = Math.min(left, this.written - begin);
      this.bytes.copyWithin(this.written, begin, begin + some);
      this.written += some;
      left -= some;
    }
  }

  /** All that was written. */
  finish(): Buffer {
    return this.bytes.subarray(0, this.written);
  }

  private makeRoom(count: number): void {
    const needed = this.written + count;
    if (needed > this.limit) throw new DecompressionFailed(`the records are larger than ${this.limit} bytes`);
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.min(this.limit, Math.max(needed, 2 * this.bytes.length)));
    this.bytes.copy(grown, 0, 0, this.written);
    this.bytes = grown;
  }
}
