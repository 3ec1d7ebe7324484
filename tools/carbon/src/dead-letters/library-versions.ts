import { hash } from 'node:crypto';
import type { MessageContent } from '@carbon/messaging';
import type { Origin } from './dead-letter.js';
import type { DeadLetterAdmin } from './dead-letter-admin.js';
import { replayRejection } from './replay-checks.js';

const TOPIC = 'asset.published';

/** The newest version of an asset. */
interface Version extends Origin {
  readonly digest: string;
  /** The position is that of the dead letter that was just replayed; the version is now also at the end of the topic. */
  readonly isReplayed: boolean;
}

/** What the replay of an asset would do to the library. */
export type Effect = 'change' | 'none' | { readonly newerAt: Origin };

/** The newest versions of some assets, to see whether a dead letter is outdated. */
export class LibraryVersions {
  private constructor(private readonly versions: Map<string, Version>) {}

  /** Reads the topic, and keeps what it says about the ids. */
  static async read(admin: DeadLetterAdmin, ids: ReadonlySet<string>): Promise<LibraryVersions> {
    const versions = new Map<string, Version>();
    if (ids.size === 0) return new LibraryVersions(versions);
    await admin.readTopic(TOPIC, (partition, raw) => {
      const id = String(raw.key);
      // Readers of the library ignore invalid messages, so the version before still counts.
      if (!ids.has(id) || replayRejection(TOPIC, raw) !== undefined) return;
      versions.set(id, { partition, position: BigInt(raw.offset), digest: digestOf(raw), isReplayed: false });
    });
    return new LibraryVersions(versions);
  }

  /**
   * The original of a dead letter may be sent once more, so that the consumer that failed gets it again. Positions of two
   * partitions cannot be compared: a version on another partition is taken to be newer.
   */
  effectOf(message: MessageContent, origin: Origin | undefined): Effect {
    const version = this.versions.get(String(message.key));
    if (version === undefined || isBefore(version, origin)) return 'change';
    return version.digest === digestOf(message) ? 'none' : { newerAt: version };
  }

  /** Records a replay: of the dead letters still to come, only those of newer messages may follow. */
  recordReplay(message: MessageContent, origin: Origin | undefined): void {
    const { partition, position } = origin ?? { partition: -1, position: -1n };
    this.versions.set(String(message.key), { partition, position, digest: digestOf(message), isReplayed: true });
  }
}

function isBefore(version: Version, origin: Origin | undefined): boolean {
  if (version.partition !== origin?.partition) return false;
  return version.isReplayed ? version.position < origin.position : version.position <= origin.position;
}

function digestOf({ value }: MessageContent): string {
  return value === null ? '' : hash('sha256', value, 'base64');
}
