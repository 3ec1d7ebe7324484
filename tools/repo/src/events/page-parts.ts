import {
  deadLetterHeadersSchema,
  PARTICIPANTS,
  type Participant,
  requestHeadersSchema,
  type Topic,
} from '@carbon/contracts';
import { table } from '../generated-sections.js';
import {
  type EventType,
  eventTypesOf,
  type Golden,
  type JsonSchema,
  jsonSchema,
  membersOf,
  type NamedTopic,
  TOPIC_LIST,
} from './event-types.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** A list without objects or lists, as JSON.stringify writes it over several lines. */
const LIST_OF_PLAIN = /\[\n[^[\]{}]*\]/g;
const IDS = {
  key: (key: string) => `is the ${key}`,
  'key and type': (key: string) => `is the ${key} and the type, joined by a dot`,
  random: () => 'is random',
} as const;

/** Returns the generated parts of the page about events: the headers, and of each topic its facts, members and examples. */
export function eventParts(golden: Golden): Readonly<Record<string, string>> {
  const topics = TOPIC_LIST.flatMap((topic) => [
    [topic.name, sentences(topic)],
    ...eventTypesOf(topic, golden).map((event) => [event.type, shape(event)]),
  ]);
  return {
    headers: headerTable(jsonSchema(requestHeadersSchema)),
    'dead-letter headers': headerTable(jsonSchema(deadLetterHeadersSchema)),
    ...Object.fromEntries(topics),
  };
}

/** Returns the page about events with a section for each topic and type that has none yet, after the topic before it. */
export function withEventSections(page: string): string {
  let text = page;
  let after = 0;
  for (const { name, types } of TOPIC_LIST) {
    const heading = text.indexOf(`\n## ${name}\n`);
    if (heading >= 0) after = heading;
    const missing = Object.keys(types).filter((type) => !text.includes(`<!-- ${type}: `));
    const sections = missing.map((type) => `### ${type}\n\n${placeFor(type)}`);
    if (heading < 0) sections.unshift(`## ${name}\n\n${placeFor(name)}`);
    if (sections.length === 0) continue;
    const next = text.indexOf('\n## ', after + 1);
    const end = next < 0 ? text.length : next + 1;
    text = `${text.slice(0, end)}${sections.join('\n')}\n${text.slice(end)}`;
    if (heading < 0) after = end - 1;
  }
  return text;
}

function placeFor(name: string): string {
  return `<!-- ${name}: made by \`npm run generate\` -->\n<!-- /${name} -->\n`;
}

/** Returns the table of topics for the page about the architecture. */
export function topicTable(): string {
  const names = (parties: readonly Participant[]) =>
    parties.map((participant) => PARTICIPANTS[participant].replace(/^the /, '')).join(', ');
  const rows = TOPIC_LIST.map((topic) => [
    `\`${topic.name}\``,
    topic.key,
    String(topic.partitions),
    retentionText(topic),
    names([topic.writtenBy]),
    names(topic.readBy),
  ]);
  return table(['topic', 'key', 'partitions', 'retention', 'written by', 'read by'], rows);
}

function retentionText({ settings }: Topic): string {
  if (settings['cleanup.policy'] === 'compact') return 'for ever, compacted';
  return `${Number(settings['retention.ms']) / DAY_MS} days`;
}

function sentences(topic: NamedTopic): string {
  const key = topic.key.replace(' id', "'s id");
  const readers = topic.readBy.map((participant) => PARTICIPANTS[participant]).join(' and ');
  const kept = retentionText(topic).replace(/^(?=\d)/, 'for ');
  return [
    `${topic.description} Key: the ${key}. ${topic.partitions} partitions, kept ${kept}.`,
    `Written by ${PARTICIPANTS[topic.writtenBy]}, read by ${readers}. \`ce_id\` ${IDS[topic.eventId](key)}, \`ce_source\` is \`${topic.source}\`.`,
  ].join('\n');
}

function headerTable(headers: JsonSchema): string {
  const required = requiredOf(headers);
  const rows = Object.entries(membersOf(headers)).map(([name, member]) => [
    `\`${name}\``,
    required.has(name) ? 'always' : 'may be absent',
    describeMember(member),
  ]);
  return table(['header', '', ''], rows);
}

function shape({ data, golden }: EventType): string {
  const members = table(['member', 'JSON', '', 'is'], rowsOf(data, ''));
  const example = JSON.stringify(golden[0], null, 2).replace(LIST_OF_PLAIN, onOneLine);
  return `${members}\n\n\`\`\`json\n${example}\n\`\`\``;
}

function onOneLine(list: string): string {
  return list.replace(/\n\s*/g, ' ').replace('[ ', '[').replace(' ]', ']');
}

/** Returns a row for each member, and below a list of objects the rows of their members. */
function rowsOf(schema: JsonSchema, above: string): string[][] {
  const required = requiredOf(schema);
  return Object.entries(membersOf(schema)).flatMap(([name, member]) => {
    const path = `${above}${name}`;
    const items = (member.items ?? {}) as JsonSchema;
    const row = [
      `\`${path}\``,
      kindOf(member),
      required.has(name) ? 'always' : 'may be absent',
      describeMember(member),
    ];
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

/** Describes a member, with its values when only a few are possible. */
function describeMember({
  description = '',
  const: only,
  enum: some = only === undefined ? [] : [only],
}: JsonSchema): string {
  const values = (some as unknown[]).map((value) => `\`${value}\``);
  return [String(description), values.join(', ').replace(/, (?=[^,]*$)/, ' or ')]
    .filter((part) => part !== '')
    .join(': ');
}
