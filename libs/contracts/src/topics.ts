import type { z } from 'zod';
import { assetSchema } from './asset.js';
import type { CloudEventAttributes } from './event-headers.js';
import { offsetCompletedV1, offsetFailedV1, offsetRequestedV1 } from './events.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** One topic: its event types, key and settings. All topics have LogAppendTime. */
export interface Topic {
  /** Schema by event type (`ce_type`). A contract changes by addition; a new shape is a new `.v2` type. */
  readonly types: Readonly<Record<string, z.ZodType>>;
  readonly key: 'offset id' | 'asset id';
  readonly partitions: number;
  /** Whether partitions may be added while the topic is in use: only where no order of a key depends on their number. */
  readonly growable?: boolean;
  /** Kafka topic settings. */
  readonly settings: Readonly<Record<string, string>>;
  /** Whether a null value is a valid message, which withdraws the key. */
  readonly tombstones: boolean;
}

/**
 * The broker decompresses what a producer compressed, so that its limit of a message's size also holds for consumers and dead
 * letters. Some clusters do not allow this setting; our consumers read every codec of Kafka.
 */
const UNCOMPRESSED = { 'compression.type': 'uncompressed' } as const;

/**
 * Outcomes are kept longer than requests by a segment of requests and a week, so that an outcome which the database has lost
 * can be recovered while its request may still exist, and for a week after.
 */
export const OUTCOMES_LONGER_MS = 7 * DAY_MS;

const retention = (days: number) => ({
  'cleanup.policy': 'delete',
  'retention.ms': String(days * DAY_MS),
  'message.timestamp.type': 'LogAppendTime',
  ...UNCOMPRESSED,
});

/** What the topics of offsets' outcomes have in common. */
const OUTCOME = {
  writtenBy: 'offsets',
  readBy: ['anyone'],
  source: '/offsets',
  eventId: 'key and type',
  key: 'offset id',
  partitions: 12,
  growable: true,
  settings: retention(30),
  tombstones: false,
} as const;

/** Names of the writers and readers of topics, for documents. `anyone` is every consumer that the operator admits. */
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

/** What the documents say about a topic's events. `npm run generate` derives every page about events from it. */
export interface TopicFacts {
  /** The meaning of an event of the topic. */
  readonly description: string;
  readonly writtenBy: Participant;
  readonly readBy: readonly Participant[];
  /** `ce_source` of its events. */
  readonly source: CloudEventAttributes['source'];
  /** What `ce_id` is: the key, the key and the type joined by a dot, or a random UUID. */
  readonly eventId: 'key' | 'key and type' | 'random';
  /** The member of the data that is also `ce_time`; null when that is the time of publishing. */
  readonly time: string | null;
}

/** Every topic of the system. Producers, consumers, `npm run topics` and the documents read this table. */
export const TOPICS = {
  'offset.requested': {
    description: 'A client requested an offset.',
    types: { 'offset.requested.v1': offsetRequestedV1 },
    writtenBy: 'gateway',
    readBy: ['offsets'],
    source: '/gateway',
    eventId: 'key',
    time: 'createdAt',
    key: 'offset id',
    partitions: 12,
    growable: true,
    // A segment is deleted as a whole, so its requests outlive their retention by up to its length.
    settings: { ...retention(14), 'segment.ms': String(DAY_MS) },
    tombstones: false,
  },
  'offset.completed': {
    description: 'Every gram of an offset is retired.',
    types: { 'offset.completed.v1': offsetCompletedV1 },
    ...OUTCOME,
    time: 'completedAt',
  },
  'offset.failed': {
    description: 'Nothing was retired for an offset, and nothing will be.',
    types: { 'offset.failed.v1': offsetFailedV1 },
    ...OUTCOME,
    time: 'failedAt',
  },
  /** The compacted topic is the library. */
  'asset.published': {
    description: 'The current version of an asset; a null value withdraws it.',
    types: { 'asset.published.v1': assetSchema },
    writtenBy: 'assets',
    readBy: ['catalog', 'offsets'],
    source: '/assets',
    eventId: 'random',
    time: null,
    key: 'asset id',
    // Never changed: the partition of a key, and so the order of its versions, depends on it.
    partitions: 6,
    settings: {
      'cleanup.policy': 'compact',
      'delete.retention.ms': String(30 * DAY_MS),
      'message.timestamp.type': 'LogAppendTime',
      ...UNCOMPRESSED,
    },
    tombstones: true,
  },
} as const satisfies Record<string, Topic & TopicFacts>;

/** A name of {@link TOPICS}, without any prefix. */
export type TopicName = keyof typeof TOPICS;

/** A topic of {@link OUTCOME_TOPICS}. */
export type OutcomeTopic = {
  [Name in TopicName]: (typeof TOPICS)[Name]['writtenBy'] extends 'offsets' ? Name : never;
}[TopicName];

/** The topics of outcomes: those that the offsets service writes. */
export const OUTCOME_TOPICS: readonly OutcomeTopic[] = (Object.keys(TOPICS) as TopicName[]).filter(
  (topic): topic is OutcomeTopic => TOPICS[topic].writtenBy === 'offsets',
);

/** Returns the topic of an event type: `offset.requested` of `offset.requested.v1`. */
export function topicOf<Name extends TopicName>(type: `${Name}.v${number}`): Name {
  return type.replace(/\.v\d+$/, '') as Name;
}

/** Larger than the limit of other topics: a dead letter is its original with more headers. */
const DEAD_LETTER_SIZE = { 'max.message.bytes': '2097152' } as const;

/** Settings of every dead-letter topic: one partition, 30 days. */
export const DEAD_LETTER = { partitions: 1, settings: { ...retention(30), ...DEAD_LETTER_SIZE } } as const;

/** Returns the name of a topic's dead-letter topic. */
export function deadLetterTopic<T extends string>(topic: T): `${T}.dead-letter` {
  return `${topic}.dead-letter`;
}
