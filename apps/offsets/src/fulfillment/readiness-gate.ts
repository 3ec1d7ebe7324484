/** Delays the allocation of credits until the supply is known. Opens once and stays open. */
export class ReadinessGate {
  private readonly opening = Promise.withResolvers<void>();
  private hasOpened = false;

  get isOpen(): boolean {
    return this.hasOpened;
  }

  /** Resolves when the gate opens. */
  get opened(): Promise<void> {
    return this.opening.promise;
  }

  open(): void {
    this.hasOpened = true;
    this.opening.resolve();
  }
}
