import { isBatchTooLarge } from './database-errors.js';

/**
 * Adapts the size of batches: halves it after a statement timeout or an out-of-memory error, and doubles it up to `max`
 * after success.
 */
export class BatchSize {
  private size: number;

  constructor(private readonly max: number) {
    this.size = max;
  }

  /** Runs one attempt with the current size. */
  async withCurrentSize<T>(attempt: (size: number) => Promise<T>): Promise<T> {
    const { size } = this;
    try {
      const outcome = await attempt(size);
      this.size = Math.min(this.max, size * 2);
      return outcome;
    } catch (error) {
      if (isBatchTooLarge(error)) this.size = Math.max(1, size >> 1);
      throw error;
    }
  }

  /**
   * Retries the attempt with half the size until it succeeds. @throws the error of a batch of one, or an error that a
   * smaller batch cannot avoid
   */
  async retrySmaller<T>(attempt: (size: number) => Promise<T>): Promise<T> {
    for (;;) {
      const { size } = this;
      try {
        return await this.withCurrentSize(attempt);
      } catch (error) {
        if (size === 1 || !isBatchTooLarge(error)) throw error;
      }
    }
  }
}

/**
 * Runs `work` for all items or, if they are too many for one statement, for each half in turn. Returns the outcomes in order.
 * When this throws, a half may already be done.
 */
export async function splitIfTooLarge<T, Outcome>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<Outcome>,
): Promise<Outcome[]> {
  try {
    return [await work(items)];
  } catch (error) {
    if (items.length < 2 || !isBatchTooLarge(error)) throw error;
    const middle = items.length >> 1;
    return [
      ...(await splitIfTooLarge(items.slice(0, middle), work)),
      ...(await splitIfTooLarge(items.slice(middle), work)),
    ];
  }
}
