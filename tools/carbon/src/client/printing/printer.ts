import { Output, printableJson } from '@carbon/terminal';
import { type Paint, paintFor } from './paint.js';

const INDENT = 2;
/** Of a terminal that does not say how wide it is. */
const COLUMNS = 80;

/** Where what was asked for is printed: for a person on a terminal, as JSON elsewhere. */
export class Printer {
  readonly asJson: boolean;
  readonly width: number;
  readonly paint: Paint;
  private readonly output: Output;

  constructor(stream: NodeJS.WriteStream, json: boolean) {
    this.asJson = json || !stream.isTTY;
    this.width = stream.columns || COLUMNS;
    this.paint = paintFor(stream);
    this.output = new Output(stream);
  }

  /** One thing: as one JSON document, or as lines. */
  async one(value: object, text: () => readonly string[]): Promise<void> {
    await this.lines(this.asJson ? [printableJson(value, INDENT)] : text());
  }

  /** Things of a list: each as a line of JSON, or as lines. */
  async some<Item extends object>(items: readonly Item[], text: () => readonly string[]): Promise<void> {
    await this.lines(this.asJson ? items.map((item) => printableJson(item)) : text());
    await this.flush();
  }

  async flush(): Promise<void> {
    await this.output.flush();
  }

  private async lines(lines: readonly string[]): Promise<void> {
    for (const line of lines) await this.output.line(Buffer.from(line));
  }
}
