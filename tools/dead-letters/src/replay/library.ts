import { hash } from 'node:crypto';
import { invalidReason, type MessageContent } from '@carbon/messaging';
import type { DeadLetters } from '../dead-letters.js';
import type { Origin } from '../letter/letter.js';

const TOPIC = 'asset.published';

/** What the library says about one id at present. */
interface Present extends Origin {
  readonly digest: string;
  /** The place is that of the letter from which it was just replayed; by now it also lies at the end of the topic. */
  readonly isReplayed: boolean;
}

/** What an asset's replay would do to the library. */
export type Effect = 'news' | 'none' | { readonly newerAt: Origin };

/** The last word of the topic about some ids, to see whether a letter comes too late. */
export class Library {
  private constructor(private readonly present: Map<string, Present>) {}

  /** Reads the topic; keeps what it says about the ids. */
  static async about(letters: DeadLetters, ids: ReadonlySet<string>): Promise<Library> {
    const present = new Map<string, Present>();
    if (ids.size === 0) return new Library(present);
    await letters.readTopic(TOPIC, (partition, raw) => {
      const id = String(raw.key);
      // Readers of the library pass over what is no asset, so what the id was before still counts.
      if (!ids.has(id) || invalidReason(TOPIC, raw) !== undefined) return;
      present.set(id, { partition, position: BigInt(raw.offset), digest: digestOf(raw), isReplayed: false });
    });
    return new Library(present);
  }

  /**
   * What lies at the letter's own place may be sent once more, so that whoever gave it up gets it again. Positions of two
   * partitions cannot be compared: what lies in another than the letter's is taken to be newer.
   */
  effect(message: MessageContent, origin: Origin | undefined): Effect {
    const present = this.present.get(String(message.key));
    if (present === undefined || isBefore(present, origin)) return 'news';
    return present.digest === digestOf(message) ? 'none' : { newerAt: present };
  }

  /** A letter has been sent: of the letters still to come only those of newer messages may follow. */
  sent(message: MessageContent, origin: Origin | undefined): void {
    const { partition, position } = origin ?? { partition: -1, position: -1n };
    this.present.set(String(message.key), { partition, position, digest: digestOf(message), isReplayed: true });
  }
}

function isBefore(present: Present, origin: Origin | undefined): boolean {
  if (present.partition !== origin?.partition) return false;
  return present.isReplayed ? present.position < origin.position : present.position <= origin.position;
}

function digestOf({ value }: MessageContent): string {
  return value === null ? '' : hash('sha256', value, 'base64');
}
