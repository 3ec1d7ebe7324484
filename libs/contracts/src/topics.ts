import type { z } from 'zod';
import { assetSchema } from './asset.js';
import type { CloudEventAttributes } from './event-headers.js';
import { offsetCompletedV1, offsetFailedV1, offsetRequestedV1 } from './events.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The writers and readers of topics, with their names in documents. `anyone` is any reader the operator permits. */
export const PARTICIPANTS = {
  gateway: 'the gateway',
  offsets: 'the offsets service',
  catalog: 'the catalog',
  assets: '`npm run assets`',
  'dead-letters': '`npm run dead-letters`',
  anyone: 'anyone',
} as const;

/** One of {@link PARTICIPANTS}. */
export type Participant = keyof typeof PARTICIPANTS;

/** One topic: its events, key, partitions and settings, and what documents say about it. */
export interface Topic {
  /** The meaning of an event of the topic. */
  readonly summary: string;
  readonly writtenBy: Participant;
  readonly readBy: readonly Participant[];
  /** `ce_source` of its events. */
  readonly source: CloudEventAttributes['source'];
  /** `ce_id` of its events: the key, the key and the type joined by a dot, or a random UUID. */
  readonly eventId: 'key' | 'key and type' | 'random';
  /** The schemas by event type (`ce_type`). Only additions change a contract; a new shape is a new `.v2` type. */
  readonly types: Readonly<Record<string, z.ZodType>>;
  readonly key: 'offset id' | 'asset id';
  readonly partitions: number;
  /** Whether partitions may be added later: only if the order of a key's messages does not matter. */
  readonly growable?: boolean;
  /** Kafka topic settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether a null value is a message (a withdrawal) and not an error. */
  readonly tombstones: boolean;
}

/**
 * The broker decompresses messages, so that its size limit applies to what readers get, and no record outgrows its dead
 * letter. Some clusters do not permit the setting; readers support every codec of Kafka.
 */
const UNCOMPRESSED = { 'compression.type': 'uncompressed' } as const;

/**
 * Outcomes are retained longer than requests by a segment of requests and a week: while a request may be consumed again, its
 * outcome is available for the recovery of a database that lost it.
 */
export const OUTCOMES_LONGER_MS = 7 * DAY_MS;

const retained = (days: number) => ({
  'cleanup.policy': 'delete',
  'retention.ms': String(days * DAY_MS),
  'message.timestamp.type': 'LogAppendTime',
  ...UNCOMPRESSED,
});

/** Every topic of the system. Producers, consumers, `npm run topics` and the documents read this table. */
export const TOPICS = {
  'offset.requested': {
    summary: 'A client requested an offset.',
    writtenBy: 'gateway',
    readBy: ['offsets'],
    source: '/gateway',
    eventId: 'key',
    types: { 'offset.requested.v1': offsetRequestedV1 },
    key: 'offset id',
    partitions: 12,
    growable: true,
    // A segment is deleted as a whole, so its requests outlive their retention by up to its length.
    settings: { ...retained(14), 'segment.ms': String(DAY_MS) },
    tombstones: false,
  },
  'offset.completed': {
    summary: 'Every gram of an offset is retired.',
    writtenBy: 'offsets',
    readBy: ['anyone'],
    source: '/offsets',
    eventId: 'key and type',
    types: { 'offset.completed.v1': offsetCompletedV1 },
    key: 'offset id',
    partitions: 12,
    growable: true,
    settings: retained(30),
    tombstones: false,
  },
  'offset.failed': {
    summary: 'Nothing was retired for an offset, and nothing will be.',
    writtenBy: 'offsets',
    readBy: ['anyone'],
    source: '/offsets',
    eventId: 'key and type',
    types: { 'offset.failed.v1': offsetFailedV1 },
    key: 'offset id',
    partitions: 12,
    growable: true,
    settings: retained(30),
    tombstones: false,
  },
  /** The compacted topic is the library. */
  'asset.published': {
    summary: 'The current state of an asset of the library; a null value withdraws it.',
    writtenBy: 'assets',
    readBy: ['catalog', 'offsets'],
    source: '/assets',
    eventId: 'random',
    types: { 'asset.published.v1': assetSchema },
    key: 'asset id',
    // Never changed: it determines the partition of a key, and so the order of its versions.
    partitions: 6,
    settings: {
      'cleanup.policy': 'compact',
      'delete.retention.ms': String(30 * DAY_MS),
      'message.timestamp.type': 'LogAppendTime',
      ...UNCOMPRESSED,
    },
    tombstones: true,
  },
} as const satisfies Record<string, Topic>;

/** A name of {@link TOPICS}, without any prefix. */
export type TopicName = keyof typeof TOPICS;

/** A dead letter is its original with more headers, so the limit is above that of the original topics. */
const DEAD_LETTER_LIMIT = { 'max.message.bytes': '2097152' } as const;

/** The settings of every dead-letter topic: one partition, 30 days. */
export const DEAD_LETTER = { partitions: 1, settings: { ...retained(30), ...DEAD_LETTER_LIMIT } } as const;

/** Returns the topic for the messages that a consumer gave up. */
export function deadLetterTopic<T extends string>(topic: T): `${T}.dead-letter` {
  return `${topic}.dead-letter`;
}
