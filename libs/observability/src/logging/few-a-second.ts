/** What a client can bring about as often as it likes is not logged as often: it would fill disks, and hide the rest. */
export class FewASecond {
  private count = 0;

  /**
   * @param most lines that are written in a second
   * @param tellRest is called at the end of a second in which there would have been more, with how many
   */
  constructor(
    private readonly most: number,
    private readonly tellRest: (more: number) => void,
  ) {}

  /** Writes a line, or only counts it. */
  write(line: () => void): void {
    // Not held alive by it: a process that ends may keep the number to itself.
    if (this.count === 0) setTimeout(() => this.end(), 1_000).unref();
    this.count += 1;
    if (this.count <= this.most) line();
  }

  private end(): void {
    const more = this.count - this.most;
    this.count = 0;
    if (more > 0) this.tellRest(more);
  }
}
