import type { TopicName } from '@carbon/contracts';
import type { RequestContext } from '@carbon/observability';
import type { KafkaMessage } from 'kafkajs';

/** One message, decoded and checked against its schema. */
export interface Received<T = unknown> {
  readonly key: string;
  /** `null` withdraws the key; only on topics that allow it. */
  readonly value: T | null;
  /** The schema's name, such as `offset.requested.v1`; a withdrawal may have none (''). */
  readonly type: string;
  /** Kafka's offset within the partition. */
  readonly position: bigint;
  /** When Kafka wrote it down. */
  readonly timestamp: Date;
  /** By name; of a repeated header the first. */
  readonly headers: Readonly<Record<string, string>>;
  /** On whose behalf it was written: the request's id, and a place in its trace. */
  readonly context: RequestContext;
  /** As it came, byte for byte. */
  readonly raw: KafkaMessage;
}

/** Consecutive messages of one partition: what a handler is called with. */
export interface ReceivedBatch<T = unknown> {
  readonly topic: TopicName;
  readonly partition: number;
  readonly messages: readonly Received<T>[];
}

/** A message that the handler cannot honour, ever: it becomes a dead letter, the others count as done. */
export interface Rejected {
  readonly position: bigint;
  /** Why, in one snake_case word; becomes `x-reason-code`. */
  readonly code: string;
  /** For the log. */
  readonly detail: string;
}
