import { type FileHandle } from 'node:fs/promises';
import { CannotDo } from '@carbon/terminal';
import { readLines } from '../input/lines.js';
import { openNamelessFile } from '../input/nameless-file.js';

const BETWEEN = '\t';
const WRITE_CHARACTERS = 1024 * 1024;

/** An asset that may be published: its id, and its canonical JSON, which is on one line. */
export interface CheckedLine {
  readonly id: string;
  readonly json: string;
}

/**
 * The sound lines of a file between their check and their publishing, in their order: on disk, but for the last mebibyte,
 * in a file without a name. So what is sent is what was checked, whatever becomes of the file meanwhile, and nothing is
 * parsed twice.
 */
export class CheckedLines implements AsyncDisposable {
  private gathered: CheckedLine[] = [];
  private characters = 0;
  private file: FileHandle | undefined;

  async add(line: CheckedLine): Promise<void> {
    this.gathered.push(line);
    this.characters += line.json.length;
    if (this.characters >= WRITE_CHARACTERS) await this.write();
  }

  /** All of them, in groups; none may be added meanwhile. */
  async *groups(): AsyncGenerator<readonly CheckedLine[]> {
    if (this.file) for await (const lines of readLines(this.file)) yield lines.map(({ bytes }) => readBack(bytes));
    yield this.gathered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file?.close();
  }

  private async write(): Promise<void> {
    const text = this.gathered.map(({ id, json }) => `${id}${BETWEEN}${json}\n`).join('');
    this.gathered = [];
    this.characters = 0;
    try {
      this.file ??= await openNamelessFile();
      await this.file.appendFile(text);
    } catch (error) {
      throw new CannotDo(`What was checked cannot be kept on disk: ${error instanceof Error ? error.message : error}`);
    }
  }
}

function readBack(bytes: Buffer | undefined): CheckedLine {
  const text = bytes?.toString('utf8') ?? '';
  const between = text.indexOf(BETWEEN);
  return { id: text.slice(0, between), json: text.slice(between + 1) };
}
