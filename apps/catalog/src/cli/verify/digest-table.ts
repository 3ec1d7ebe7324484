import type { Digest } from './digest.js';

/** Words of a slot: three of the id's digest, four of the content's, and one for its state. */
const SLOT = 8;
const CONTENT = 3;
const STATE = 7;
const FIRST_SLOTS = 1024;
/** After growing by half it is half full, so an asset takes at most 64 bytes, and while it grows another 43. */
const FULLEST = 0.75;
const GROWTH = 1.5;

/** What is known of an id: `free` is nothing at all. */
export const STATES = { free: 0, there: 1, withdrawn: 2, seen: 3 } as const;

export type SlotState = keyof typeof STATES;

const NAMES = Object.keys(STATES) as SlotState[];

/**
 * What the topic says, as digests: id → content, for a million assets in some 60 MB, where strings would take a
 * gigabyte. Open addressing in one flat array.
 */
export class DigestTable {
  private words = new Uint32Array(FIRST_SLOTS * SLOT);
  private taken = 0;

  /** How many bytes it takes now. */
  get bytes(): number {
    return this.words.byteLength;
  }

  /** How many ids are in this state. */
  count(state: SlotState): number {
    let count = 0;
    for (let at = STATE; at < this.words.length; at += SLOT) if (this.words[at] === STATES[state]) count += 1;
    return count;
  }

  stateOf(id: Digest): SlotState {
    return NAMES[this.words[this.find(id) + STATE] ?? 0] ?? 'free';
  }

  /** Whether an id has this content. */
  holds(id: Digest, content: Digest): boolean {
    const at = this.find(id) + CONTENT;
    return content.every((word, place) => this.words[at + place] === word);
  }

  /** Puts an id into a state, with the content it has in it. */
  put(id: Digest, state: SlotState, content?: Digest): void {
    const at = this.find(id);
    if (this.words[at + STATE] === STATES.free) {
      this.taken += 1;
      this.words.set([id[0], id[1], id[2]], at);
    }
    if (content) this.words.set(content, at + CONTENT);
    this.words[at + STATE] = STATES[state];
    if (this.taken * SLOT > this.words.length * FULLEST) this.grow();
  }

  private grow(): void {
    const old = this.words;
    this.words = new Uint32Array(Math.ceil((old.length / SLOT) * GROWTH) * SLOT);
    for (let from = 0; from < old.length; from += SLOT) {
      const [first = 0, second = 0, third = 0] = old.subarray(from, from + 3);
      if (old[from + STATE] !== STATES.free)
        this.words.set(old.subarray(from, from + SLOT), this.find([first, second, third]));
    }
  }

  /** Where the slot of an id begins, taken or free: its own place or the next free one after it. */
  private find([first, second, third]: readonly [number, number, number, ...number[]]): number {
    const { words } = this;
    let at = (first % (words.length / SLOT)) * SLOT;
    while (words[at + STATE] !== STATES.free) {
      if (words[at] === first && words[at + 1] === second && words[at + 2] === third) return at;
      at = (at + SLOT) % words.length;
    }
    return at;
  }
}
