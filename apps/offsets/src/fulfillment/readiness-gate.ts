/** Readiness gate of the supply: opens once and stays open. No credits are allocated before the supply is known. */
export class SupplyGate {
  private readonly opening = Promise.withResolvers<void>();
  private hasOpened = false;

  get isOpen(): boolean {
    return this.hasOpened;
  }

  /** Resolves when it opens. */
  get opened(): Promise<void> {
    return this.opening.promise;
  }

  open(): void {
    this.hasOpened = true;
    this.opening.resolve();
  }
}
