import { type Digest, digestOf } from './digest.js';
import { Segment } from './segment.js';

const SEGMENTS = 256;
/** Stands for the content of a line that is no asset. */
const NO_CONTENT: Digest = [0, 0, 0, 0];
const UNCHANGED = 1;

/**
 * The assets of a file by id: on which line each stands, and whether the topic holds the same already. Digests in flat
 * arrays, at most 64 bytes an asset, so that a million lines need some 60 MB and not a gigabyte of strings.
 */
export class AssetTable {
  private readonly segments = Array.from({ length: SEGMENTS }, () => new Segment());
  private entries = 0;

  get size(): number {
    return this.entries;
  }

  get bytes(): number {
    return this.segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  /**
   * Notes the id of a line (counted from 1) and its content; no content for a line that is bad.
   * @returns the line that had the id before, and then notes nothing
   */
  add(id: string, line: number, json: string | undefined): number | undefined {
    const { segment, slot, key } = this.place(id);
    const mark = segment.mark(slot);
    if (mark !== 0) return lineOf(mark);
    segment.fill(slot, key, json === undefined ? NO_CONTENT : digestOf(json), line * 2);
    this.entries += 1;
    return undefined;
  }

  /** Takes note of a message of the topic: null withdraws. The last one of a key counts. Ids not in the file are left out. */
  fold(id: string, value: Buffer | null): void {
    const { segment, slot } = this.place(id);
    const mark = segment.mark(slot);
    if (mark === 0) return;
    const same = value !== null && segment.holds(slot, digestOf(value));
    segment.setMark(slot, lineOf(mark) * 2 + (same ? UNCHANGED : 0));
  }

  /** Whether the topic holds this id, which was added with its content, as it was added. */
  isUnchanged(id: string): boolean {
    const { segment, slot } = this.place(id);
    return segment.mark(slot) % 2 === UNCHANGED;
  }

  private place(id: string) {
    const key = digestOf(id);
    const segment = this.segments[key[0] % SEGMENTS];
    if (segment === undefined) throw new RangeError('no such segment');
    return { segment, slot: segment.find(key), key };
  }
}

function lineOf(mark: number): number {
  return Math.floor(mark / 2);
}
