import { DEAD_LETTER, deadLetterTopic, type Topic, type TopicName } from '@carbon/contracts';
import { eventTypesOf, TOPIC_LIST } from './event-types.js';

const BINDING = '0.5.0';
const REF = (name: string) => ({ $ref: `#/components/messages/${name}` });

/** The message that withdraws what an event of this type published. */
export function withdrawalName(type: string): string {
  return `${type}.withdrawn`;
}

/** The names of the messages of a topic. */
export function messageNames(name: TopicName, { tombstones }: Pick<Topic, 'tombstones'>): string[] {
  const types = eventTypesOf(name).map(({ type }) => type);
  return tombstones ? [...types, ...types.map(withdrawalName)] : types;
}

/** A channel for every topic, and for its dead letters. The name of the channel is that of the topic. */
export function channels(): Record<string, object> {
  return Object.fromEntries(
    TOPIC_LIST.flatMap(({ name, topic, facts }) => [
      [
        name,
        {
          address: name,
          summary: facts.summary,
          messages: Object.fromEntries(messageNames(name, topic).map((message) => [message, REF(message)])),
          bindings: { kafka: kafkaTopic(name, topic) },
        },
      ],
      [
        deadLetterTopic(name),
        {
          address: deadLetterTopic(name),
          summary: `What consumers of ${name} gave up.`,
          messages: { deadLetter: REF('deadLetter') },
          bindings: { kafka: kafkaTopic(deadLetterTopic(name), DEAD_LETTER) },
        },
      ],
    ]),
  );
}

function kafkaTopic(topic: string, { partitions, settings }: Pick<Topic, 'partitions' | 'settings'>) {
  const topicConfiguration = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, settingOf(name, value)]),
  );
  return { topic, partitions, topicConfiguration, bindingVersion: BINDING };
}

/** A topic's setting as the binding wants it: policies as a list, what is a number as one. */
function settingOf(name: string, value: string): string | number | string[] {
  if (name === 'cleanup.policy') return value.split(',');
  return /^-?\d+$/.test(value) ? Number(value) : value;
}
