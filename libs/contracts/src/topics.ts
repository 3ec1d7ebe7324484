import type { z } from 'zod';
import { assetSchema } from './asset.js';
import { offsetCompletedV1, offsetFailedV1, offsetRequestedV1 } from './events.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** One topic: what may stand on it, under which key, and how long. All are LogAppendTime. */
export interface Topic {
  /** Schema by event type (`ce_type`). A contract changes by addition; a new shape is a new `.v2` type. */
  readonly types: Readonly<Record<string, z.ZodType>>;
  readonly key: 'offset id' | 'asset id';
  readonly partitions: number;
  /** Whether partitions may be added to a topic that is in use: only where no order of a key depends on their number. */
  readonly growable?: boolean;
  /** Kafka topic settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether a null value is a message (a withdrawal) and not a mistake. */
  readonly tombstones: boolean;
}

/**
 * The broker decompresses what a writer compressed, so its limit of a message's size holds for what a reader gets, and a small
 * record cannot grow past any letter. Some clusters do not let it be set; readers know every codec of Kafka.
 */
const AS_IT_IS = { 'compression.type': 'uncompressed' } as const;

/**
 * Outcomes are kept for longer than requests by a segment of requests and a week: whoever must recover outcomes that the database
 * has lost finds them for as long as a request that led to one may still be there, and has a week for it.
 */
export const OUTCOMES_LONGER_MS = 7 * DAY_MS;

const kept = (days: number) => ({
  'cleanup.policy': 'delete',
  'retention.ms': String(days * DAY_MS),
  'message.timestamp.type': 'LogAppendTime',
  ...AS_IT_IS,
});

/** Every topic of the system. Producers, consumers and the making of topics read this table. */
export const TOPICS = {
  /** A client asked for an offset. Written by the gateway, read by offsets. */
  'offset.requested': {
    types: { 'offset.requested.v1': offsetRequestedV1 },
    key: 'offset id',
    partitions: 12,
    growable: true,
    // A segment is deleted as a whole, so its requests outlive their retention by up to its length.
    settings: { ...kept(14), 'segment.ms': String(DAY_MS) },
    tombstones: false,
  },
  /** Every gram of an offset is retired. Written by offsets, read by anyone. */
  'offset.completed': {
    types: { 'offset.completed.v1': offsetCompletedV1 },
    key: 'offset id',
    partitions: 12,
    growable: true,
    settings: kept(30),
    tombstones: false,
  },
  /** An offset failed; nothing was retired for it. Written by offsets, read by anyone. */
  'offset.failed': {
    types: { 'offset.failed.v1': offsetFailedV1 },
    key: 'offset id',
    partitions: 12,
    growable: true,
    settings: kept(30),
    tombstones: false,
  },
  /**
   * An asset of the library as it now is; null withdraws it. The compacted topic is the library. Written by the publisher
   * command, read by catalog and offsets.
   */
  'asset.published': {
    types: { 'asset.published.v1': assetSchema },
    key: 'asset id',
    // Never changed: which partition a key goes to, and so the order of its versions, hangs on it.
    partitions: 6,
    settings: {
      'cleanup.policy': 'compact',
      'delete.retention.ms': String(30 * DAY_MS),
      'message.timestamp.type': 'LogAppendTime',
      ...AS_IT_IS,
    },
    tombstones: true,
  },
} as const satisfies Record<string, Topic>;

/** A name of {@link TOPICS}, without any prefix. */
export type TopicName = keyof typeof TOPICS;

/** A dead letter is its original with seven more headers, so it must be let in where the original just fitted. */
const ROOM_FOR_LETTERS = { 'max.message.bytes': '2097152' } as const;

/** Settings of every dead-letter topic: one partition, 30 days. */
export const DEAD_LETTER = { partitions: 1, settings: { ...kept(30), ...ROOM_FOR_LETTERS } } as const;

/** Where a consumer puts what it gave up on. */
export function deadLetterTopic<T extends string>(topic: T): `${T}.dead-letter` {
  return `${topic}.dead-letter`;
}
