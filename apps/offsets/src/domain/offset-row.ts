import type { Failure } from './failure.js';

/** An offset as the table `offsets` stores it, without its lease and its final dates. */
export interface OffsetRow {
  readonly id: string;
  readonly account: string;
  readonly kgCO2e: number;
  readonly grams: bigint;
  /** Hash of the request, which distinguishes a replay from a conflict. */
  readonly fingerprint: string;
  readonly estimateId: string | null;
  readonly customerRef: string | null;
  readonly traceparent: string | null;
  /** When Kafka first appended the request, or when the row was written if that is earlier. */
  readonly createdAt: Date;
  /** When it became `processing`: its credits were reserved, or retired at once. Null if it never was. */
  readonly processingAt: Date | null;
  /** What its credits cost, in micro-dollars; known once they are allocated. */
  readonly costMicros: bigint | null;
  /** Why it failed; null unless it did. */
  readonly failure: Failure | null;
}
