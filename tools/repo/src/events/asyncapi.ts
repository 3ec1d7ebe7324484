import {
  DEAD_LETTER,
  deadLetterHeadersSchema,
  deadLetterTopic,
  PARTICIPANTS,
  type Participant,
  type Topic,
} from '@carbon/contracts';
import { stringify } from 'yaml';
import {
  type EventType,
  eventTypesOf,
  exampleOf,
  type Golden,
  jsonSchema,
  keyOf,
  type NamedTopic,
  TOPIC_LIST,
} from './event-types.js';

const ABOUT = [
  "Events are CloudEvents 1.0 in Kafka's binary mode: the data alone is the value, everything about it is in headers.",
  'A setting (TOPIC_PREFIX) may put a prefix before the names of all topics.',
  'Delivery is at least once; readers must accept members, types, headers and codes that they do not know.',
  'events.md, next to this file, explains how to read them.',
].join(' ');

/** The broker of `npm start` with its default settings. */
const LOCAL_BROKER = '127.0.0.1:29092';
const BINDING = '0.5.0';
const JSON_TYPE = 'application/json';

/** Returns the AsyncAPI 3.0 document of all topics: settings, messages with golden examples, senders and receivers. */
export function asyncapiDocument(version: string, golden: Golden) {
  const types = TOPIC_LIST.flatMap((topic) => eventTypesOf(topic, golden));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Carbon offsets: events',
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: JSON_TYPE,
    servers: {
      local: {
        host: LOCAL_BROKER,
        protocol: 'kafka',
        description: 'The broker of `npm start`; elsewhere see KAFKA_BROKERS.',
      },
    },
    channels: Object.fromEntries(TOPIC_LIST.flatMap(channelsOf)),
    operations: Object.fromEntries(TOPIC_LIST.flatMap(operationsOf)),
    components: {
      messages: { ...Object.fromEntries(types.flatMap(messagesOf)), deadLetter: deadLetterMessage() },
      schemas: Object.fromEntries(types.map(({ type, data }) => [type, data])),
    },
  };
}

/** Returns the document as the text of a file, in which YAML 1.1 also reads a time as text. */
export function asyncapiYaml(document: object): string {
  const note = ' Made by `npm run generate` from libs/contracts.';
  return `#${note}\n${stringify(document, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' })}`;
}

function withdrawalName(type: string): string {
  return `${type}.withdrawn`;
}

function messageNames({ types, tombstones }: NamedTopic): string[] {
  const names = Object.keys(types);
  return tombstones ? [...names, ...names.map(withdrawalName)] : names;
}

/** Returns the channels of a topic and of its dead letters, which have the names of the topics. */
function channelsOf(topic: NamedTopic): [string, object][] {
  const { name, description } = topic;
  return [
    channel(name, description, messageNames(topic), topic),
    channel(deadLetterTopic(name), `Dead letters of the consumers of ${name}.`, ['deadLetter'], DEAD_LETTER),
  ];
}

function channel(
  name: string,
  summary: string,
  messages: readonly string[],
  { partitions, settings }: Pick<Topic, 'partitions' | 'settings'>,
): [string, object] {
  const topicConfiguration = Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [setting, settingOf(setting, value)]),
  );
  const kafka = { topic: name, partitions, topicConfiguration, bindingVersion: BINDING };
  const refs = messages.map((message) => [message, { $ref: `#/components/messages/${message}` }]);
  return [name, { address: name, summary, messages: Object.fromEntries(refs), bindings: { kafka } }];
}

/** The binding has policies as a list, and numbers as numbers. */
function settingOf(name: string, value: string): string | number | string[] {
  if (name === 'cleanup.policy') return value.split(',');
  return /^-?\d+$/.test(value) ? Number(value) : value;
}

/** Returns the sender and receiver of the messages of a topic. An operation's name begins with its app. */
function operationsOf(topic: NamedTopic): [string, object][] {
  const { name, writtenBy, readBy } = topic;
  const messages = messageNames(topic);
  const deadLetters = deadLetterTopic(name);
  const consumers = readBy.filter((participant) => participant !== 'anyone');
  return [
    operation(writtenBy, 'send', name, messages),
    ...readBy.map((participant) => operation(participant, 'receive', name, messages)),
    ...consumers.map((participant) => operation(participant, 'send', deadLetters, ['deadLetter'])),
    operation('dead-letters', 'receive', deadLetters, ['deadLetter']),
    ...(consumers.length > 0 ? [operation('dead-letters', 'send', name, messages)] : []),
  ];
}

function operation(
  participant: Participant,
  action: 'send' | 'receive',
  channel: string,
  messages: readonly string[],
): [string, object] {
  return [
    `${participant}.${action}.${channel}`,
    {
      action,
      channel: { $ref: `#/channels/${channel}` },
      summary: `${PARTICIPANTS[participant]} ${action === 'send' ? 'writes' : 'reads'} it`,
      tags: [{ name: participant }],
      messages: messages.map((message) => ({ $ref: `#/channels/${channel}/messages/${message}` })),
    },
  ];
}

/** Returns the message of a type of event and, where the topic allows it, of its withdrawal. */
function messagesOf(event: EventType): [string, object][] {
  const { type, topic, golden } = event;
  const examples = golden.map((data, at) => exampleOf(event, `${type}-${at + 1}`, data));
  const payload = { $ref: `#/components/schemas/${type}` };
  const events = message(event, type, topic.description.replace(/;.*$/, '.'), payload, examples);
  if (!topic.tombstones) return [events];
  const name = withdrawalName(type);
  const about = 'A tombstone: the key is withdrawn. The value is null, in Kafka’s sense: no bytes at all.';
  const withdrawals = golden.slice(0, 1).map((data) => ({ ...exampleOf(event, `${name}-1`, data), payload: null }));
  return [events, message(event, name, about, { type: 'null' }, withdrawals)];
}

function message(
  { headers, topic }: EventType,
  name: string,
  summary: string,
  payload: object,
  examples: readonly object[],
): [string, object] {
  const bindings = { kafka: { key: keyOf(topic), bindingVersion: BINDING } };
  return [name, { name, title: name, summary, contentType: JSON_TYPE, headers, payload, bindings, examples }];
}

function deadLetterMessage() {
  return {
    name: 'deadLetter',
    title: 'dead letter',
    summary: 'The original message, byte for byte, with headers that give the reason.',
    description: 'It keeps its own headers. Its key and its value may be anything, including null.',
    contentType: 'application/octet-stream',
    headers: jsonSchema(deadLetterHeadersSchema),
  };
}
