import type { Digest } from './digest.js';

/** One slot: three words of the id's digest, four of the content's, one for line and mark. A mark of 0 is a free slot. */
export const SLOT_WORDS = 8;
const CONTENT = 3;
const MARK = 7;
const FIRST_CAPACITY = 16;
/** With growth by half a segment is 53 to 80 % full, so an asset takes at most 60 bytes. */
const FULLEST = 0.8;
const GROWTH = 1.5;

/** A part of the {@link AssetTable}: an open-addressed table that grows by itself, so that growing needs little room. */
export class Segment {
  private words = new Uint32Array(FIRST_CAPACITY * SLOT_WORDS);
  private count = 0;

  get bytes(): number {
    return this.words.byteLength;
  }

  /** Where the slot of an id begins, taken or free. */
  find(id: Digest): number {
    return slotOf(this.words, id[0], id[1], id[2]);
  }

  mark(slot: number): number {
    return this.words[slot + MARK] ?? 0;
  }

  setMark(slot: number, mark: number): void {
    this.words[slot + MARK] = mark;
  }

  holds(slot: number, content: Digest): boolean {
    return content.every((word, at) => this.words[slot + CONTENT + at] === word);
  }

  /** Fills a slot that is free. Every slot found before is void after it. */
  fill(slot: number, id: Digest, content: Digest, mark: number): void {
    this.words.set([id[0], id[1], id[2], ...content, mark], slot);
    this.count += 1;
    if (this.count * SLOT_WORDS > this.words.length * FULLEST) this.grow();
  }

  private grow(): void {
    const old = this.words;
    const slots = Math.ceil((old.length / SLOT_WORDS) * GROWTH);
    const words = new Uint32Array(slots * SLOT_WORDS);
    for (let from = 0; from < old.length; from += SLOT_WORDS) {
      const slot = old.subarray(from, from + SLOT_WORDS);
      const [first = 0, second = 0, third = 0] = slot;
      if (slot[MARK] !== 0) words.set(slot, slotOf(words, first, second, third));
    }
    this.words = words;
  }
}

/** Linear probing. The first word chooses the segment, so the second one chooses the place. */
function slotOf(words: Uint32Array, first: number, second: number, third: number): number {
  let slot = (second % (words.length / SLOT_WORDS)) * SLOT_WORDS;
  while (words[slot + MARK] !== 0) {
    if (words[slot] === first && words[slot + 1] === second && words[slot + 2] === third) return slot;
    slot = (slot + SLOT_WORDS) % words.length;
  }
  return slot;
}
