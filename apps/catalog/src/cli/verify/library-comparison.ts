import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { canonicalJson } from '@carbon/contracts';

/** SQLite removes its own temporary file, which has no name, even when the process is killed. */
const TEMPORARY_FILE = '';

// Nothing is rolled back or read after a crash, so nothing is logged or synced.
const SCHEMA = `
  PRAGMA temp_store = FILE;
  PRAGMA cache_size = -32768;
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  CREATE TABLE asset (id TEXT PRIMARY KEY, topic BLOB, indexed BLOB) WITHOUT ROWID;
  BEGIN`;

/**
 * Folds the topic and the index into digests by id, and compares the two. Takes bounded memory whatever the number of
 * assets: the digests are in a temporary file.
 */
export class LibraryComparison {
  private readonly database = new DatabaseSync(TEMPORARY_FILE);
  private readonly topic;
  private readonly indexed;

  constructor() {
    this.database.exec(SCHEMA);
    this.topic = this.upsert('topic');
    this.indexed = this.upsert('indexed');
  }

  /** Records the last message of an asset; without a document if it is withdrawn. */
  recordTopic(id: string, document: object | undefined, version: bigint): void {
    this.topic.run(id, document ? digestOf(document, version) : null);
  }

  /** Records a document of the index. */
  recordIndexed(id: string, document: object, version: bigint): void {
    this.indexed.run(id, digestOf(document, version));
  }

  /** The number of assets on the topic. */
  countAssets(): number {
    return Number(this.database.prepare('SELECT count(topic) AS assets FROM asset').get()?.assets);
  }

  /** Yields the ids of assets that one side lacks, or whose content or version differs. */
  *differingIds(): Generator<string> {
    for (const { id } of this.database.prepare('SELECT id FROM asset WHERE topic IS NOT indexed').iterate())
      yield String(id);
  }

  close(): void {
    this.database.close();
  }

  private upsert(side: 'topic' | 'indexed') {
    const conflict = `ON CONFLICT DO UPDATE SET ${side} = excluded.${side}`;
    return this.database.prepare(`INSERT INTO asset (id, ${side}) VALUES (?, ?) ${conflict}`);
  }
}

/** Returns a digest of a document's content and version; the order of the fields does not matter. */
function digestOf(document: object, version: bigint): Uint8Array {
  return hash('sha256', `${version} ${canonicalJson(document)}`, 'buffer').subarray(0, 16);
}
