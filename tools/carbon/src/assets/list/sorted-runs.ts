import type { FileHandle } from 'node:fs/promises';
import { readLines } from '../input/lines.js';
import { openNamelessFile } from '../input/nameless-file.js';

/** Bytes kept in memory before they are written out; a million assets of usual length make about 150 runs. */
const RUN_BYTES = 4 * 1024 * 1024;
/** Bytes handed to the system at a time. */
const WRITE_BYTES = 1024 * 1024;
const BETWEEN = 0x09;
const NEW_LINE = Buffer.from('\n');

type Row = readonly [id: string, json: Buffer];

/**
 * Sorts assets by id in bounded memory: what does not fit is written to disk in sorted runs, which are then merged. The
 * last one put under an id counts; an empty text withdraws it. Texts are kept as bytes, which lie outside the heap and take
 * half as much as strings do in which some character is not Latin.
 */
export class SortedRuns implements AsyncDisposable {
  private readonly runs: FileHandle[] = [];
  private rows = new Map<string, Buffer>();
  private bytes = 0;

  constructor(private readonly runBytes = RUN_BYTES) {}

  /** `json` must be on one line. */
  async put(id: string, json: string): Promise<void> {
    const bytes = Buffer.from(json);
    this.bytes += id.length + bytes.length;
    this.rows.set(id, bytes);
    if (this.bytes >= this.runBytes) await this.writeRun();
  }

  /** The JSON of every asset that is not withdrawn, by id. The bytes hold until the next are asked for. */
  async *sorted(): AsyncGenerator<Buffer> {
    const sources: AsyncIterator<Row>[] = [...this.runs.map(readRun), ofMemory(this.sortedRows())];
    for await (const [, json] of merge(sources)) if (json.length > 0) yield json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.runs.map((run) => run.close()));
  }

  private sortedRows(): Row[] {
    return [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  private async writeRun(): Promise<void> {
    const run = await openNamelessFile();
    this.runs.push(run);
    const rows = this.sortedRows();
    this.rows = new Map();
    this.bytes = 0;
    let parts: Buffer[] = [];
    let length = 0;
    for (const [id, json] of rows) {
      const head = Buffer.from(`${id}${String.fromCharCode(BETWEEN)}`);
      parts.push(head, json, NEW_LINE);
      length += head.length + json.length + NEW_LINE.length;
      if (length < WRITE_BYTES) continue;
      await run.appendFile(Buffer.concat(parts, length));
      [parts, length] = [[], 0];
    }
    await run.appendFile(Buffer.concat(parts, length));
  }
}

/** Of several sources in order of id, one in order of id; of equal ids the one of the last source. */
async function* merge(sources: readonly AsyncIterator<Row>[]): AsyncGenerator<Row> {
  const heads = await Promise.all(sources.map((source) => take(source)));
  for (;;) {
    let least: Row | undefined;
    for (const head of heads) if (head && (!least || head[0] <= least[0])) least = head;
    if (!least) return;
    yield least;
    for (const [at, source] of sources.entries()) if (heads[at]?.[0] === least[0]) heads[at] = await take(source);
  }
}

async function take(source: AsyncIterator<Row>): Promise<Row | undefined> {
  const next = await source.next();
  return next.done ? undefined : next.value;
}

async function* ofMemory(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

async function* readRun(run: FileHandle): AsyncGenerator<Row> {
  for await (const lines of readLines(run)) {
    for (const { bytes } of lines) {
      if (bytes === undefined) throw new RangeError('A run has a line that is longer than any asset.');
      const between = bytes.indexOf(BETWEEN);
      yield [bytes.toString('utf8', 0, between), bytes.subarray(between + 1)];
    }
  }
}
