import {
  deadLetterHeadersSchema,
  PARTICIPANTS,
  type Participant,
  requestHeadersSchema,
  type Topic,
  type TopicName,
} from '@carbon/contracts';
import { table } from '../made-parts.js';
import { type EventType, eventTypesOf, TOPIC_LIST } from './event-types.js';
import { type JsonSchema, jsonSchema, membersOf } from './json-schema.js';
import type { Golden } from './messages.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A list of no objects or lists, as JSON.stringify writes it over several lines. */
const LIST_OF_PLAIN = /\[\n[^[\]{}]*\]/g;
const IDS = {
  key: (key: string) => `is the ${key}`,
  'key and type': (key: string) => `is the ${key} and the type, joined by a dot`,
  random: () => 'is random',
} as const;

/** What is made from the contracts on the page about events: headers, and of each topic its facts, members and examples. */
export function eventParts(golden: Golden): Readonly<Record<string, string>> {
  const topics = TOPIC_LIST.flatMap(({ name, topic }) => [
    [name, sentences(name, topic)],
    ...eventTypesOf(name).map((event) => [event.type, shape(event, golden)]),
  ]);
  return {
    headers: headerTable(jsonSchema(requestHeadersSchema)),
    'dead-letter headers': headerTable(jsonSchema(deadLetterHeadersSchema)),
    ...Object.fromEntries(topics),
  };
}

/** The table of topics for the page about the architecture. */
export function topicTable(): string {
  const names = (parties: readonly Participant[]) =>
    parties.map((party) => PARTICIPANTS[party].replace(/^the /, '')).join(', ');
  const rows = TOPIC_LIST.map(({ name, topic, facts }) => [
    `\`${name}\``,
    topic.key,
    String(topic.partitions),
    keptFor(topic),
    names([facts.writtenBy]),
    names(facts.readBy),
  ]);
  return table(['topic', 'key', 'partitions', 'kept', 'written by', 'read by'], rows);
}

function keptFor({ settings }: Topic): string {
  if (settings['cleanup.policy'] === 'compact') return 'for ever, compacted';
  return `${Number(settings['retention.ms']) / DAY_MS} days`;
}

function sentences(name: TopicName, topic: Topic): string {
  const { facts } = TOPIC_LIST.find((one) => one.name === name) ?? missing(name);
  const key = topic.key.replace(' id', "'s id");
  const readers = facts.readBy.map((party) => PARTICIPANTS[party]).join(' and ');
  const kept = keptFor(topic).replace(/^(?=\d)/, 'for ');
  return [
    `${facts.summary} Key: the ${key}. ${topic.partitions} partitions, kept ${kept}.`,
    `Written by ${PARTICIPANTS[facts.writtenBy]}, read by ${readers}. \`ce_id\` ${IDS[facts.eventId](key)}, \`ce_source\` is \`${facts.source}\`.`,
  ].join('\n');
}

function missing(name: string): never {
  throw new Error(`there is no topic ${name}`);
}

function headerTable(headers: JsonSchema): string {
  const required = requiredOf(headers);
  const rows = Object.entries(membersOf(headers)).map(([name, member]) => [
    `\`${name}\``,
    required.has(name) ? 'always' : 'may be absent',
    saidOf(member),
  ]);
  return table(['header', '', ''], rows);
}

function shape({ type, data }: EventType, golden: Golden): string {
  const members = table(['member', 'JSON', '', 'is'], rowsOf(data, ''));
  const example = JSON.stringify(golden(type)[0], null, 2).replace(LIST_OF_PLAIN, onOneLine);
  return `${members}\n\n\`\`\`json\n${example}\n\`\`\``;
}

function onOneLine(list: string): string {
  return list.replace(/\n\s*/g, ' ').replace('[ ', '[').replace(' ]', ']');
}

/** A row for each member, and below one that is a list of objects a row for each of theirs. */
function rowsOf(schema: JsonSchema, above: string): string[][] {
  const required = requiredOf(schema);
  return Object.entries(membersOf(schema)).flatMap(([name, member]) => {
    const path = `${above}${name}`;
    const items = (member.items ?? {}) as JsonSchema;
    const row = [`\`${path}\``, kindOf(member), required.has(name) ? 'always' : 'may be absent', saidOf(member)];
    return [row, ...rowsOf(items, `${path}[].`)];
  });
}

function requiredOf(schema: JsonSchema): ReadonlySet<unknown> {
  return new Set((schema.required ?? []) as unknown[]);
}

function kindOf(member: JsonSchema): string {
  const items = member.items as JsonSchema | undefined;
  if (items !== undefined) return `array of ${items.type}s`;
  return `${member.type}`;
}

/** What a member is, and where only one value or a few are possible, which. */
function saidOf({ description = '', const: only, enum: some = only === undefined ? [] : [only] }: JsonSchema): string {
  const values = (some as unknown[]).map((value) => `\`${value}\``);
  return [String(description), values.join(', ').replace(/, (?=[^,]*$)/, ' or ')]
    .filter((part) => part !== '')
    .join(': ');
}
