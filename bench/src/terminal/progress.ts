/** What of `process.stderr` is used. */
export interface Screen {
  readonly isTTY?: boolean | undefined;
  write(text: string): boolean;
}

const CLEAR_LINE = '\r\u001b[K';

/** What is being done: one line that changes in place on a terminal, a line each elsewhere. */
export class Progress {
  private shown = '';

  constructor(private readonly screen: Screen) {}

  readonly tell = (step: string): void => {
    if (step === this.shown) return;
    this.shown = step;
    this.screen.write(this.screen.isTTY ? `${CLEAR_LINE}${step}` : `${step}\n`);
  };

  /** Takes the changing line away. */
  clear(): void {
    if (this.screen.isTTY && this.shown !== '') this.screen.write(CLEAR_LINE);
    this.shown = '';
  }
}
