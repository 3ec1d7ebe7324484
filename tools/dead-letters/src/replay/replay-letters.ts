import { isMessageTooLarge, type MessageContent } from '@carbon/messaging';
import type { DeadLetters } from '../dead-letters.js';
import { contentOf, type DeadLetter, replayHeaders } from '../letter/letter.js';
import type { Place } from '../letter/place.js';
import { wholeMessage } from '../show/whole-message.js';
import { unfitness } from './fitness.js';
import { Library } from './library.js';
import type { Refusal } from './refusal.js';
import { isRepaired, type Repairs, repaired } from './repair.js';

/** What became of one letter. */
export type Outcome =
  | { readonly place: Place; readonly outcome: 'sent' | 'would be sent' | 'unchanged' }
  | ({ readonly place: Place; readonly outcome: 'refused' } & Refusal);

/** How a replay is done. */
export interface ReplayOptions {
  readonly force: boolean;
  readonly dryRun: boolean;
}

interface Draft {
  readonly letter: DeadLetter;
  readonly message: MessageContent;
}

/** Sends what was given up to its topic again, as it was or as it was mended. */
export class ReplayLetters {
  constructor(
    private readonly letters: DeadLetters,
    private readonly options: ReplayOptions,
    private readonly tell: (outcome: Outcome) => void,
  ) {}

  /**
   * Replays some letters. Those of one key in the order given, each after Kafka has confirmed the one before.
   * @throws NoAnswer when Kafka does not confirm; what was told before is so
   */
  async run(some: readonly DeadLetter[], repairs: Repairs = {}): Promise<void> {
    const drafts: Draft[] = [];
    for (const letter of some) {
      const draft = await this.draft(letter, repairs);
      if ('code' in draft) this.refuse(letter, draft);
      else drafts.push(draft);
    }
    const ofAssets = drafts.filter(({ letter }) => letter.place.topic === 'asset.published');
    const library = await Library.about(this.letters, new Set(ofAssets.map(({ message }) => String(message.key))));
    for (const wave of waves(drafts)) {
      const tooLarge = await Promise.all(wave.map((draft) => this.replay(draft, library)));
      // Those that went with it in one request came back with it: each gets a request of its own.
      for (const draft of tooLarge) if (draft !== undefined) await this.replay(draft, library, TOO_LARGE);
    }
  }

  /** The message as it would be sent, or why it may not be. */
  private async draft(letter: DeadLetter, repairs: Repairs): Promise<Draft | Refusal> {
    const isMended = repairs.value !== undefined && letter.raw.key !== null;
    const whole = isMended ? { message: contentOf(letter) } : await wholeMessage(this.letters, letter);
    if ('gone' in whole) return { code: 'original_gone', detail: whole.gone, canBeForced: false };
    const message = repaired(whole.message, repairs);
    const refusal = this.conflict(letter, repairs) ?? unfitness(letter.place.topic, message);
    return this.overruled(refusal) ?? { letter, message };
  }

  private conflict({ reason }: DeadLetter, repairs: Repairs): Refusal | undefined {
    if (reason !== 'idempotency_conflict' || isRepaired(repairs)) return undefined;
    const detail = 'another request is recorded under its id, so it would come back; it needs an id of its own';
    return { code: 'idempotency_conflict', detail, canBeForced: true };
  }

  /** Gives the draft back when Kafka found it too large and that is not known to be its own fault. */
  private async replay(draft: Draft, library: Library, tooLarge?: Refusal): Promise<Draft | undefined> {
    const { letter, message } = draft;
    const { place, origin } = letter;
    const { dryRun, force } = this.options;
    const effect = place.topic === 'asset.published' ? library.effect(message, origin) : 'news';
    if (typeof effect === 'object' && !force) {
      this.refuse(letter, tooLate(effect.newerAt));
    } else if (effect === 'none' && !force) {
      this.tell({ place, outcome: 'unchanged' });
    } else if (dryRun || (await this.send(draft))) {
      library.sent(message, origin);
      this.tell({ place, outcome: dryRun ? 'would be sent' : 'sent' });
    } else if (tooLarge === undefined) {
      return draft;
    } else {
      this.refuse(letter, tooLarge);
    }
    return undefined;
  }

  /** Whether Kafka took it; false when it is too large. */
  private async send({ letter, message }: Draft): Promise<boolean> {
    const headers = { ...message.headers, ...replayHeaders(letter) };
    try {
      await this.letters.send({ topic: letter.place.topic, key: message.key, value: message.value, headers });
      return true;
    } catch (error) {
      if (isMessageTooLarge(error)) return false;
      throw this.letters.failure(error);
    }
  }

  private overruled(refusal: Refusal | undefined): Refusal | undefined {
    return refusal?.canBeForced && this.options.force ? undefined : refusal;
  }

  private refuse({ place }: DeadLetter, refusal: Refusal): void {
    this.tell({ place, outcome: 'refused', ...refusal });
  }
}

const TOO_LARGE: Refusal = {
  code: 'too_large',
  detail: 'its topic does not take so large a message',
  canBeForced: false,
};

function tooLate({ partition, position }: { partition: number; position: bigint }): Refusal {
  const place = partition < 0 ? 'another letter' : `asset.published/${partition}:${position}`;
  return { code: 'newer_asset', detail: `the library has a newer version of this asset (${place})`, canBeForced: true };
}

/** Letters of different keys may go together; those of one key go one after the other. */
function* waves(drafts: readonly Draft[]): Generator<Draft[]> {
  let rest = [...drafts];
  while (rest.length > 0) {
    const keys = new Set<string>();
    const wave: Draft[] = [];
    const later: Draft[] = [];
    for (const draft of rest) {
      const key = String(draft.message.key);
      (keys.has(key) ? later : wave).push(draft);
      keys.add(key);
    }
    yield wave;
    rest = later;
  }
}
