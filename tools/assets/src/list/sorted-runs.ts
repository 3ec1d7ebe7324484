import type { FileHandle } from 'node:fs/promises';
import { readLines } from '../input/lines.js';
import { openNamelessFile } from '../input/nameless-file.js';

/** Characters kept in memory before they are written out; a million assets of usual length make about 150 runs. */
const RUN_CHARACTERS = 4 * 1024 * 1024;
const BETWEEN = '\t';

type Row = readonly [id: string, json: string];

/**
 * Sorts assets by id in bounded memory: what does not fit is written to disk in sorted runs, which are then merged. The
 * last one put under an id counts; an empty text withdraws it.
 */
export class SortedRuns implements AsyncDisposable {
  private readonly runs: FileHandle[] = [];
  private rows = new Map<string, string>();
  private characters = 0;

  constructor(private readonly runCharacters = RUN_CHARACTERS) {}

  /** `json` must be on one line. */
  async put(id: string, json: string): Promise<void> {
    this.characters += id.length + json.length;
    this.rows.set(id, json);
    if (this.characters >= this.runCharacters) await this.writeRun();
  }

  /** The JSON of every asset that is not withdrawn, by id. */
  async *sorted(): AsyncGenerator<string> {
    const sources: AsyncIterator<Row>[] = [...this.runs.map(readRun), ofMemory(this.sortedRows())];
    for await (const [, json] of merge(sources)) if (json !== '') yield json;
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
    let text = '';
    for (const [id, json] of this.sortedRows()) {
      text += `${id}${BETWEEN}${json}\n`;
      if (text.length > 1_000_000) text = await append(run, text);
    }
    await append(run, text);
    this.rows = new Map();
    this.characters = 0;
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
      const [id = '', json = ''] = (bytes?.toString('utf8') ?? '').split(BETWEEN, 2);
      yield [id, json];
    }
  }
}

async function append(run: FileHandle, text: string): Promise<string> {
  await run.appendFile(text);
  return '';
}
