import { readdirSync, readFileSync } from 'node:fs';
import {
  cloudEventHeaders,
  deadLetterHeadersSchema,
  eventHeadersSchema,
  requestHeadersSchema,
} from './event-headers.js';
import { plainText } from './text.js';
import { DEAD_LETTER, deadLetterTopic, OUTCOMES_LONGER_MS, TOPICS, type Topic, type TopicFacts } from './topics.js';
import { acceptedMessage, offsetView, queuedOffsetView } from './views.js';

const DAY_MS = 86_400_000;
const GOLDEN = new URL('../golden/', import.meta.url);
const topics = Object.entries<Topic & TopicFacts>(TOPICS);
const types = topics.flatMap(([, topic]) => Object.entries(topic.types));
const read = (type: string): object[] => JSON.parse(readFileSync(new URL(`${type}.json`, GOLDEN), 'utf8'));

describe('the golden events', () => {
  it('stand for every version of every event, and for nothing else', () => {
    expect(readdirSync(GOLDEN).sort()).toEqual(types.map(([type]) => `${type}.json`).sort());
    expect(types.filter(([type]) => read(type).length === 0)).toEqual([]);
  });

  it.each(types)('of %s lose nothing when they are read, not even with a newer writer’s additions', (type, schema) => {
    const events = read(type);
    expect(events.map((event) => schema.parse(event))).toEqual(events);
    expect(events.map((event) => schema.parse({ ...event, addedLater: { deep: [1] } }))).toEqual(events);
  });

  it('have the member from which the time of the event is taken', () => {
    const timed = topics.flatMap(([, topic]) => Object.keys(topic.types).map((type) => [type, topic.time] as const));
    for (const [type, time] of timed)
      for (const event of read(type)) expect([type, time, time === null || time in event]).toEqual([type, time, true]);
  });

  it.each(types)('of %s are refused with null in place of any member', (type, schema) => {
    const nulled = read(type).flatMap((event) => Object.keys(event).map((name) => ({ ...event, [name]: null })));
    expect(nulled.filter((event) => schema.safeParse(event).success)).toEqual([]);
  });

  it.each([
    ['an id of another spelling', { id: 'off_0000000000000000000000000I' }],
    ['an account with capitals', { account: 'Default' }],
    ['a year that PostgreSQL does not know', { createdAt: '0000-12-31T23:59:59.999Z' }],
    ['a weight of zero', { kgCO2e: 0 }],
    ['a weight above 1e12', { kgCO2e: 1e12 + 1 }],
    ['grams as a number', { grams: 1 }],
    ['grams with a leading zero', { grams: '01' }],
    ['negative grams', { grams: '-1' }],
    ['a time without milliseconds', { createdAt: '2026-01-01T00:00:00Z' }],
    ['a time with an offset', { createdAt: '2026-01-01T00:00:00.000+01:00' }],
    ['a fingerprint with capitals', { fingerprint: 'A'.repeat(64) }],
  ])('of an offset request are refused with %s', (_, change) => {
    const schema = TOPICS['offset.requested'].types['offset.requested.v1'];
    expect(schema.safeParse({ ...read('offset.requested.v1')[0], ...change }).success).toBe(false);
  });
});

describe('the headers of an event', () => {
  const time = '2026-01-01T00:00:00.000Z';
  const event = { id: 'off_1', source: '/gateway', type: 'offset.requested.v1', time, subject: 'off_1' } as const;
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const headers = cloudEventHeaders(event);

  it('are those of CloudEvents 1.0 in Kafka binary mode, and the trace if there is one', () => {
    expect(headers).toEqual({
      ce_specversion: '1.0',
      ce_id: 'off_1',
      ce_source: '/gateway',
      ce_type: 'offset.requested.v1',
      ce_time: time,
      ce_subject: 'off_1',
      'content-type': 'application/json',
    });
    expect(cloudEventHeaders({ ...event, traceparent })).toEqual({ ...headers, traceparent });
  });

  it('are all required, and others are allowed', () => {
    expect(eventHeadersSchema.strict().parse(headers)).toEqual(headers);
    const incomplete = Object.keys(headers).map((name) => ({ ...headers, [name]: undefined }));
    expect(incomplete.filter((some) => eventHeadersSchema.safeParse(some).success)).toEqual([]);
    expect(eventHeadersSchema.safeParse({ ...headers, 'x-new': '1' }).success).toBe(true);
  });

  it('name the client’s request on a request alone', () => {
    const traced = { ...headers, traceparent, 'x-request-id': 'r-1' };
    expect(requestHeadersSchema.strict().parse(traced)).toEqual(traced);
    expect(eventHeadersSchema.strict().safeParse(traced).success).toBe(false);
  });

  it('contain the reason and the origin of a dead letter', () => {
    const failed = { 'x-reason-code': 'invalid_json', 'x-handler': 'offsets', 'x-attempts': '0' };
    const place = { 'x-topic': 'offset.requested', 'x-partition': '2', 'x-position': '7' };
    const times = { 'x-first-failed-at': '2026-01-02T03:04:05.678Z', 'x-appended-at': time };
    const letter = { ...failed, ...place, ...times };
    expect(deadLetterHeadersSchema.strict().safeParse(letter).success).toBe(true);
    expect(deadLetterHeadersSchema.safeParse({ ...letter, 'x-position': '-1' }).success).toBe(false);
  });
});

describe('the topics', () => {
  it('grow only where no order of a key depends on the number of partitions', () => {
    const growable = topics.filter(([, topic]) => topic.growable === true).map(([name]) => name);
    expect(growable).toEqual(topics.filter(([, { key }]) => key === 'offset id').map(([name]) => name));
    for (const [, { growable, tombstones, settings }] of topics)
      expect([tombstones, growable === true]).toEqual(
        settings['cleanup.policy'] === 'compact' ? [true, false] : [false, true],
      );
  });

  it('use the broker’s time, never the writer’s, and are stored uncompressed', () => {
    const settings = { 'message.timestamp.type': 'LogAppendTime', 'compression.type': 'uncompressed' };
    for (const topic of [...Object.values(TOPICS), DEAD_LETTER]) expect(topic).toMatchObject({ settings });
  });

  it('keep outcomes longer than requests by a segment of these and a week', () => {
    const { 'retention.ms': requested, 'segment.ms': segment } = TOPICS['offset.requested'].settings;
    const least = Number(requested) + Number(segment) + OUTCOMES_LONGER_MS;
    const outcomes = topics.filter(([, { writtenBy }]) => writtenBy === 'offsets');
    expect(outcomes.length).toBeGreaterThan(1);
    for (const [, { settings }] of outcomes) expect(Number(settings['retention.ms'])).toBeGreaterThanOrEqual(least);
  });

  it('give each event type their name', () => {
    const misnamed = topics.flatMap(([name, topic]) => {
      return Object.keys(topic.types).filter((type) => !new RegExp(`^${name}\\.v\\d+$`).test(type));
    });
    expect(misnamed).toEqual([]);
  });

  it('have a dead-letter topic each, of one partition, kept 30 days and never compacted', () => {
    expect(deadLetterTopic('offset.requested')).toBe('offset.requested.dead-letter');
    expect(DEAD_LETTER.partitions).toBe(1);
    expect(DEAD_LETTER.settings).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': String(30 * DAY_MS) });
  });
});

describe('the view of an offset', () => {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  const amounts = { kgCO2e: 1234.5, credits: 1.2345, creditsMatched: 0, retirements: [] };
  const view = { id: 'off_1', status: 'queued', ...amounts, ...times };

  it('is this sentence when it is accepted, and nothing else', () => {
    const sentence = '{"message":"Offset event with ID: off_1 queued for processing."}';
    expect(JSON.stringify(acceptedMessage('off_1'))).toBe(sentence);
  });

  it('is id and status before it is recorded, and the time that an older gateway sent', () => {
    const { id, status, createdAt } = view;
    const views = [
      { id, status },
      { id, status, createdAt },
      { id, status: 'processing' },
    ];
    expect(views.map((some) => queuedOffsetView.safeParse(some).success)).toEqual([true, true, false]);
  });

  it('omits absent members instead of null, and shows no internals', () => {
    const views = [view, { ...view, cost: null }, { ...view, account: 'default' }];
    expect(views.map((some) => offsetView.safeParse(some).success)).toEqual([true, false, false]);
  });
});

describe('a plain text', () => {
  it('has visible characters and blanks, counted by code points', () => {
    const taken = [' ', 'u-1', 'O’Brien', '\u200b', '한국어', 'a'.repeat(256), '🌳'.repeat(256)];
    const tooLong = ['', 'a'.repeat(257), '🌳'.repeat(257)];
    const refused = ['a\u0000', 'line\nbreak', '\u007f', '\u0085', '\ud800', '\udc00a', ...tooLong];
    const isTaken = (text: string) => plainText(1, 256).safeParse(text).success;
    expect([...taken, ...refused].filter(isTaken)).toEqual(taken);
  });
});
