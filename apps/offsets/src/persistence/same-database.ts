import type { Fence, FenceHolder } from './fence.js';

/**
 * Tells whether what was handled of a partition was handled on the database that is verified now. What was recorded on another
 * one before may be missing in it, although both hold the position before that.
 */
export class SameDatabase {
  private readonly fences = new Map<number, Fence>();

  constructor(private readonly holder: FenceHolder) {}

  /** To be called before messages of a partition are handled. @throws FenceLost */
  begin(partition: number): void {
    if (!this.fences.has(partition)) this.fences.set(partition, this.holder.required());
  }

  /** Whether it was the same since `begin`, or since it was asked last. @throws FenceLost */
  isSame(partition: number): boolean {
    const fence = this.holder.required();
    const before = this.fences.get(partition) ?? fence;
    this.fences.set(partition, fence);
    return before === fence;
  }
}
