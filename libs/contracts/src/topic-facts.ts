import type { CloudEventAttributes } from './cloud-event.js';
import type { TopicName } from './topics.js';

/** Who writes and reads topics, as pages call them. `anyone` is whoever is let in by the operator. */
export const PARTIES = {
  gateway: 'the gateway',
  offsets: 'the offsets service',
  catalog: 'the catalog',
  assets: '`npm run assets`',
  'dead-letters': '`npm run dead-letters`',
  anyone: 'anyone',
} as const;

/** One of {@link PARTIES}. */
export type Party = keyof typeof PARTIES;

/** What is to be told of a topic besides its settings. Pages and documents about events are made from it. */
export interface TopicFacts {
  /** What an event of it says. */
  readonly says: string;
  readonly writtenBy: Party;
  readonly readBy: readonly Party[];
  /** `ce_source` of its events. */
  readonly source: CloudEventAttributes['source'];
  /** What `ce_id` is: the key, the key and the type joined by a dot, or a random UUID. */
  readonly eventId: 'key' | 'key and type' | 'random';
}

/** The facts of every topic of the system. */
export const TOPIC_FACTS: Readonly<Record<TopicName, TopicFacts>> = {
  'offset.requested': {
    says: 'Somebody asks for an offset.',
    writtenBy: 'gateway',
    readBy: ['offsets'],
    source: '/gateway',
    eventId: 'key',
  },
  'offset.completed': {
    says: 'Every gram of an offset is retired.',
    writtenBy: 'offsets',
    readBy: ['anyone'],
    source: '/offsets',
    eventId: 'key and type',
  },
  'offset.failed': {
    says: 'Nothing was retired for an offset, and nothing will be.',
    writtenBy: 'offsets',
    readBy: ['anyone'],
    source: '/offsets',
    eventId: 'key and type',
  },
  'asset.published': {
    says: 'An asset of the library as it now is; a null value withdraws it.',
    writtenBy: 'assets',
    readBy: ['catalog', 'offsets'],
    source: '/assets',
    eventId: 'random',
  },
};
