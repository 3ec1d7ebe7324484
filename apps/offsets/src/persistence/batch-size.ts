import { isTooMuch } from './sql-fault.js';

/**
 * How much is done at once: as much as there may be, half as much after it proved too much for a statement's time or for the
 * server's memory, and twice as much again after it went well. Tried again as it was, it would be too much for ever.
 */
export class BatchSize {
  private size: number;

  constructor(private readonly most: number) {
    this.size = most;
  }

  /** One attempt at the size that now fits. */
  async fitting<T>(attempt: (size: number) => Promise<T>): Promise<T> {
    const { size } = this;
    try {
      const outcome = await attempt(size);
      this.size = Math.min(this.most, size * 2);
      return outcome;
    } catch (error) {
      if (isTooMuch(error)) this.size = Math.max(1, size >> 1);
      throw error;
    }
  }
}

/**
 * Does `work` for all of these, or, where that is too much at once, for either half by itself, one after the other. Gives the
 * outcomes in order. A half may have been done when this throws.
 */
export async function inHalves<T, Outcome>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<Outcome>,
): Promise<Outcome[]> {
  try {
    return [await work(items)];
  } catch (error) {
    if (items.length < 2 || !isTooMuch(error)) throw error;
    const middle = items.length >> 1;
    return [...(await inHalves(items.slice(0, middle), work)), ...(await inHalves(items.slice(middle), work))];
  }
}
