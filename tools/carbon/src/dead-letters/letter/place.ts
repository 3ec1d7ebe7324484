import { TOPICS, type TopicName } from '@carbon/contracts';

/** Where a dead letter lies. Dead-letter topics have one partition, so a position is enough. */
export interface Place {
  /** The topic the message was on first. */
  readonly topic: TopicName;
  /** On its dead-letter topic. */
  readonly position: bigint;
}

const SUFFIX = '.dead-letter';
const LONGEST_POSITION = 19;

/** A topic by its name, or by that of its dead-letter topic; undefined when there is none. */
export function topicOf(text: string): TopicName | undefined {
  const name = text.endsWith(SUFFIX) ? text.slice(0, -SUFFIX.length) : text;
  return Object.hasOwn(TOPICS, name) ? (name as TopicName) : undefined;
}

/** Reads `offset.requested:17`; undefined when it is not of that form. */
export function placeOf(text: string): Place | undefined {
  const [, name = '', position = ''] = /^([^:]+):([0-9]+)$/.exec(text) ?? [];
  const topic = topicOf(name);
  if (topic === undefined || position.length > LONGEST_POSITION) return undefined;
  return { topic, position: BigInt(position) };
}

/** How commands name a letter. */
export function nameOf({ topic, position }: Place): string {
  return `${topic}:${position}`;
}
