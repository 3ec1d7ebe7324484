import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Environment } from '@carbon/config';
import { CommandError, OutputClosed } from './errors.js';
import { ProgressReporter } from './progress-reporter.js';
import { type Column, Table } from './table.js';
import { printableJson } from './text.js';

const BUFFER_CHARACTERS = 64 * 1024;
const DEFAULT_COLUMNS = 80;
const JSON_INDENT = 2;

/** A stream that commands write to: of the process, or of a test. */
export interface OutputStream extends Writable {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The streams, environment and signal that a command runs with. */
export interface CommandStreams {
  readonly stdin: Readable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Environment;
  /** Aborts with `Interrupted`. */
  readonly signal: AbortSignal;
}

/** How a command prints. */
export interface TerminalOutputOptions {
  /** JSON, or not, wherever it goes; by default JSON unless it goes to a terminal. */
  readonly json?: boolean | undefined;
  /** Whether the command runs to its end when the reader of its output is gone: it changes something, or gives a verdict. */
  readonly continueWhenClosed?: boolean;
}

/** Colours a text, when it goes to a terminal and NO_COLOR is not set. */
export type Paint = (format: 'bold' | 'dim' | 'red', text: string) => string;

/** Returns the colours for a stream. */
export function paintFor(stream: OutputStream): Paint {
  return (format, text) => styleText(format, text, { stream });
}

/**
 * Prints results on standard output, as tables and sentences at a terminal and as JSON elsewhere, and progress and messages
 * on standard error. Memory is bounded: a method resolves when what it wrote is buffered or handed to the system.
 */
export class TerminalOutput extends ProgressReporter {
  readonly asJson: boolean;
  readonly width: number;
  readonly paint: Paint;
  private readonly stdout: OutputStream;
  private readonly continueWhenClosed: boolean;
  private buffer = '';
  private isClosed = false;

  constructor(
    { stdout, stderr }: Pick<CommandStreams, 'stdout' | 'stderr'>,
    { json, continueWhenClosed = false }: TerminalOutputOptions = {},
  ) {
    super(stderr);
    this.stdout = stdout;
    this.asJson = json ?? !stdout.isTTY;
    this.width = stdout.columns || DEFAULT_COLUMNS;
    this.paint = paintFor(stdout);
    this.continueWhenClosed = continueWhenClosed;
  }

  /** Prints one line. It must be printable. @throws OutputClosed when the reader is gone */
  async line(text: string): Promise<void> {
    this.buffer += `${text}\n`;
    if (this.buffer.length >= BUFFER_CHARACTERS) await this.flush();
  }

  /** Prints one document: as indented JSON, or as lines. */
  async document(value: object, lines: () => readonly string[]): Promise<void> {
    for (const line of this.asJson ? [printableJson(value, JSON_INDENT)] : lines()) await this.line(line);
    await this.flush();
  }

  /** Prints items of a list: as a line of JSON each, or as lines. */
  async items(items: readonly object[], lines: () => readonly string[]): Promise<void> {
    for (const line of this.asJson ? items.map((item) => printableJson(item)) : lines()) await this.line(line);
    await this.flush();
  }

  /** Prints a whole list: as a line of JSON for each row, or as a table. */
  async table<Row extends object>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<void> {
    const table = this.newTable(columns);
    await this.items(rows, () => table.lines(rows));
    if (table.omitted.length > 0) this.say(table.omission());
  }

  /** Returns an empty table that is as wide as the terminal. */
  newTable<Row>(columns: readonly Column<Row>[]): Table<Row> {
    return new Table(columns, this.width, (line) => this.paint('bold', line));
  }

  /** Returns a table within a document as lines, with a note on columns for which there was no room. */
  tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): readonly string[] {
    const table = this.newTable(columns);
    const lines = table.lines(rows);
    return table.omitted.length === 0 ? lines : [...lines, this.paint('dim', table.omission())];
  }

  /** Writes bytes as they are, after what is buffered. @throws OutputClosed when the reader is gone */
  async write(bytes: Uint8Array | string): Promise<void> {
    await this.flush();
    await this.hand(bytes);
  }

  /** Hands everything to the system. @throws OutputClosed when the reader is gone */
  async flush(): Promise<void> {
    const text = this.buffer;
    this.buffer = '';
    if (text !== '') await this.hand(text);
  }

  private async hand(bytes: Uint8Array | string): Promise<void> {
    if (this.stdout.isTTY) this.clear();
    const error = this.isClosed ? undefined : await writeTo(this.stdout, bytes);
    if (error?.code === 'EPIPE') this.isClosed = true;
    else if (error !== undefined) throw new CommandError(`The output cannot be written: ${error.message}`);
    if (this.isClosed && !this.continueWhenClosed) throw new OutputClosed();
  }
}

function writeTo(stream: OutputStream, bytes: Uint8Array | string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => stream.write(bytes, (error) => resolve(error ?? undefined)));
}
