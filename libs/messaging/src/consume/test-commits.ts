import { setInterval as every } from 'node:timers/promises';
import { readCommitted } from '../admin/positions.js';
import { withAdmin } from '../admin/with-admin.js';
import type { KafkaHandle } from '../kafka/create-kafka.js';

/** Reads the committed positions of the group `offsets` all the time, and keeps each that lies before one read earlier. */
export class CommitsWatch {
  readonly backwards: string[] = [];
  readings = 0;
  private readonly stop = new AbortController();
  private readonly last: bigint[] = [];
  private readonly watching: Promise<void>;

  constructor(kafka: KafkaHandle) {
    this.watching = withAdmin(kafka, async (admin) => {
      for await (const _ of every(25)) {
        for (const { partition, position } of await readCommitted(admin, kafka, 'offsets', 'offset.requested'))
          this.note(partition, position ?? 0n);
        this.readings += 1;
        if (this.stop.signal.aborted) return;
      }
    });
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.watching;
  }

  private note(partition: number, position: bigint): void {
    const before = this.last[partition] ?? 0n;
    if (position < before) this.backwards.push(`partition ${partition}: ${before} to ${position}`);
    this.last[partition] = position;
  }
}
