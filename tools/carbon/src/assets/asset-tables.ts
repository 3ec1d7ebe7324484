import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { CommandError } from '@carbon/terminal';

/** A temporary database of SQLite. Its file has no name, so it is removed even when the process is killed. */
class TemporaryDatabase implements Disposable {
  private readonly database = new DatabaseSync('');

  /** @param schema statements; nothing is rolled back or read after a crash, so nothing is logged or synced */
  constructor(schema: string) {
    this.database.exec(`
      PRAGMA temp_store = FILE;
      PRAGMA cache_size = -32768;
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      ${schema};
      BEGIN`);
  }

  protected prepare(sql: string): StatementSync {
    return this.database.prepare(sql);
  }

  /** @throws CommandError when the disk is full */
  protected write(statement: StatementSync, ...values: (string | number | null)[]): boolean {
    try {
      return Number(statement.run(...values).changes) > 0;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CommandError(`The temporary file of the command cannot be written: ${reason}`);
    }
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}

/** A valid line of a file. */
export interface StoredLine {
  readonly id: string;
  readonly json: string;
}

/** The lines of a file between check and publishing, so that what is sent is what was checked. */
export class LineTable extends TemporaryDatabase {
  private readonly insert;
  private readonly earlier;
  private readonly compare;

  constructor() {
    super(`CREATE TABLE line (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT, unchanged INTEGER NOT NULL DEFAULT 0)`);
    this.insert = this.prepare('INSERT INTO line (number, id, json) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING');
    this.earlier = this.prepare('SELECT number FROM line WHERE id = ?');
    this.compare = this.prepare('UPDATE line SET unchanged = json IS ? WHERE id = ?');
  }

  /**
   * Stores the id of a line, with its content when it is valid.
   *
   * @returns the number of the earlier line with that id; then nothing is stored
   */
  add(number: number, id: string, json: string | null): number | undefined {
    return this.write(this.insert, number, id, json) ? undefined : Number(this.earlier.get(id)?.number);
  }

  /** Compares a message of the topic with the line of the same id, if there is one. The last message of an id counts. */
  compareWith(id: string, value: string | null): void {
    // A line without content is invalid; it is not published, whatever it equals.
    this.write(this.compare, value, id);
  }

  /** How many valid lines are as the topic has them. */
  countUnchanged(): number {
    return Number(this.prepare('SELECT count(*) AS n FROM line WHERE unchanged AND json IS NOT NULL').get()?.n);
  }

  /** The valid lines in their order, without those that are unchanged. */
  *changed(): Generator<StoredLine> {
    const rows = this.prepare('SELECT id, json FROM line WHERE NOT unchanged AND json IS NOT NULL ORDER BY number');
    for (const { id, json } of rows.iterate()) yield { id: String(id), json: String(json) };
  }
}

/** The newest version of every asset, to be read in the order of ids. */
export class ListTable extends TemporaryDatabase {
  private readonly upsert;
  private readonly drop;

  constructor() {
    super('CREATE TABLE asset (id TEXT NOT NULL UNIQUE, json TEXT NOT NULL)');
    this.upsert = this.prepare(
      'INSERT INTO asset (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json',
    );
    this.drop = this.prepare('DELETE FROM asset WHERE id = ?');
  }

  /** Stores a version of an asset in place of the one before. */
  set(id: string, json: string): void {
    this.write(this.upsert, id, json);
  }

  /** Removes an asset. */
  remove(id: string): void {
    this.write(this.drop, id);
  }

  /** The JSON of every asset, in the order of ids. */
  *sorted(): Generator<string> {
    for (const { json } of this.prepare('SELECT json FROM asset ORDER BY id').iterate()) yield String(json);
  }
}
