/** Opens once and stays open: credits are given out only when it is known what there is. */
export class SupplyGate {
  private readonly opening = Promise.withResolvers<void>();
  private passed = false;

  get isOpen(): boolean {
    return this.passed;
  }

  /** Resolves when it opens. */
  get opened(): Promise<void> {
    return this.opening.promise;
  }

  open(): void {
    this.passed = true;
    this.opening.resolve();
  }
}
