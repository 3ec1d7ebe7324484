import type { MessageContent } from '@carbon/messaging';
import {
  contentOf,
  type DeadLetter,
  type DeadLetterFilter,
  type DeadLetterId,
  replayHeaders,
  topicsOf,
} from './dead-letter.js';
import type { DeadLetterAdmin } from './dead-letter-admin.js';
import { LibraryVersions } from './library-versions.js';
import { type Corrections, corrected, hasCorrections, type Rejection, replayRejection } from './replay-checks.js';

/** The result for one dead letter. */
export type Outcome =
  | { readonly id: DeadLetterId; readonly outcome: 'sent' | 'would be sent' | 'unchanged' }
  | ({ readonly id: DeadLetterId; readonly outcome: 'refused' } & Rejection);

/** How dead letters are replayed. */
export interface ReplayOptions {
  /** Override safety checks. */
  readonly force: boolean;
  /** Send nothing. */
  readonly dryRun: boolean;
  /** For a single dead letter. */
  readonly corrections: Corrections;
}

interface Draft {
  readonly deadLetter: DeadLetter;
  readonly message: MessageContent;
}

/** Yields the dead letters with the ids, each once, topic by topic, in batches. `onMissing` gets ids that are not found. */
export async function* deadLettersWith(
  admin: DeadLetterAdmin,
  ids: readonly DeadLetterId[],
  onMissing: (id: DeadLetterId) => Promise<void>,
): AsyncGenerator<DeadLetter[]> {
  for (const topic of new Set(ids.map((id) => id.topic))) {
    const missing = new Set(ids.filter((id) => id.topic === topic).map(({ position }) => position));
    const sorted = [...missing].sort((one, other) => (one < other ? -1 : 1));
    const range = { position: sorted[0], until: (sorted.at(-1) ?? 0n) + 1n };
    yield* admin.batches(topic, range, ({ id }) => missing.delete(id.position));
    for (const position of missing) await onMissing({ topic, position });
  }
}

/** Yields every dead letter that a filter selects, in batches. */
export async function* deadLettersOf(admin: DeadLetterAdmin, filter: DeadLetterFilter): AsyncGenerator<DeadLetter[]> {
  const { reason, since } = filter;
  for (const topic of topicsOf(filter)) {
    yield* admin.batches(topic, { since }, (deadLetter) => reason === undefined || deadLetter.reason === reason);
  }
}

/** Sends dead letters to their topics again, as they were or corrected. */
export class Replay {
  constructor(
    private readonly admin: DeadLetterAdmin,
    private readonly options: ReplayOptions,
    private readonly report: (outcome: Outcome) => Promise<void>,
  ) {}

  /**
   * Replays a batch. Dead letters of one key are sent in the order given, each after Kafka has confirmed the one before.
   *
   * @throws CommandError when Kafka does not confirm; what was reported before is sent
   */
  async run(batch: readonly DeadLetter[]): Promise<void> {
    const drafts: Draft[] = [];
    for (const deadLetter of batch) {
      const draft = await this.draft(deadLetter);
      if ('code' in draft) await this.refuse(deadLetter, draft);
      else drafts.push(draft);
    }
    const assets = drafts.filter(({ deadLetter }) => deadLetter.id.topic === 'asset.published');
    const versions = await LibraryVersions.read(this.admin, new Set(assets.map(({ message }) => String(message.key))));
    for (const wave of waves(drafts)) {
      const tooLarge = await Promise.all(wave.map((draft) => this.replay(draft, versions)));
      // Kafka refuses all messages of a request with one that is too large, so each is sent again in its own request.
      for (const draft of tooLarge) if (draft !== undefined) await this.replay(draft, versions, TOO_LARGE);
    }
  }

  /** Returns the message to send, or why it may not be sent. */
  private async draft(deadLetter: DeadLetter): Promise<Draft | Rejection> {
    const { corrections, force } = this.options;
    const isReplaced = corrections.value !== undefined && deadLetter.raw.key !== null;
    const original = isReplaced ? { message: contentOf(deadLetter) } : await this.admin.original(deadLetter);
    if ('gone' in original) return { code: 'original_gone', detail: original.gone, canBeForced: false };
    const message = corrected(original.message, corrections);
    const isConflict = deadLetter.reason === 'idempotency_conflict' && !hasCorrections(corrections);
    const rejection = isConflict ? CONFLICT : replayRejection(deadLetter.id.topic, message);
    return rejection === undefined || (rejection.canBeForced && force) ? { deadLetter, message } : rejection;
  }

  /** Returns the draft when Kafka refused its request as too large, unless a rejection for that is given. */
  private async replay(draft: Draft, versions: LibraryVersions, tooLarge?: Rejection): Promise<Draft | undefined> {
    const { deadLetter, message } = draft;
    const { id, origin } = deadLetter;
    const { dryRun, force } = this.options;
    const effect = id.topic === 'asset.published' ? versions.effectOf(message, origin) : 'change';
    if (typeof effect === 'object' && !force) {
      await this.refuse(deadLetter, outdated(effect.newerAt));
    } else if (effect === 'none' && !force) {
      await this.report({ id, outcome: 'unchanged' });
    } else if (dryRun || (await this.send(draft))) {
      versions.recordReplay(message, origin);
      await this.report({ id, outcome: dryRun ? 'would be sent' : 'sent' });
    } else if (tooLarge === undefined) {
      return draft;
    } else {
      await this.refuse(deadLetter, tooLarge);
    }
    return undefined;
  }

  private async send({ deadLetter, message: { key, value, headers } }: Draft): Promise<boolean> {
    return await this.admin.send({
      topic: deadLetter.id.topic,
      key,
      value,
      headers: { ...headers, ...replayHeaders(deadLetter) },
    });
  }

  private async refuse({ id }: DeadLetter, rejection: Rejection): Promise<void> {
    await this.report({ id, outcome: 'refused', ...rejection });
  }
}

const TOO_LARGE: Rejection = { code: 'too_large', detail: 'it is too large for its topic', canBeForced: false };

const CONFLICT: Rejection = {
  code: 'idempotency_conflict',
  detail: 'another request is recorded under its id, so it would fail again; it needs another id',
  canBeForced: true,
};

function outdated({ partition, position }: { partition: number; position: bigint }): Rejection {
  const where = partition < 0 ? 'another dead letter' : `asset.published/${partition}:${position}`;
  return { code: 'newer_asset', detail: `the library has a newer version of this asset (${where})`, canBeForced: true };
}

/** Yields drafts of different keys together, and those of one key one after the other. */
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
