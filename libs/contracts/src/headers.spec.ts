import { cloudEventHeaders } from './cloud-event.js';
import { deadLetterHeadersSchema, eventHeadersSchema, requestHeadersSchema } from './headers.js';
import { TOPIC_FACTS } from './topic-facts.js';
import { TOPICS } from './topics.js';

const EVENT = {
  id: 'off_1',
  source: '/gateway',
  type: 'offset.requested.v1',
  time: '2026-01-01T00:00:00.000Z',
  subject: 'off_1',
} as const;
const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('the schema of headers', () => {
  it('knows every header that an event is given, and no other that is always there', () => {
    const headers = cloudEventHeaders(EVENT);
    expect(eventHeadersSchema.strict().parse(headers)).toEqual(headers);
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...others } = headers;
      expect(eventHeadersSchema.safeParse(others).success).toBe(false);
    }
  });

  it('takes a trace, and the request’s id where a client waits', () => {
    const headers = cloudEventHeaders({ ...EVENT, traceparent: TRACEPARENT });
    expect(requestHeadersSchema.strict().parse({ ...headers, 'x-request-id': 'r-1' })).toHaveProperty('traceparent');
    expect(eventHeadersSchema.strict().safeParse({ ...headers, 'x-request-id': 'r-1' }).success).toBe(false);
  });

  it('bears headers of a newer writer', () => {
    expect(eventHeadersSchema.safeParse({ ...cloudEventHeaders(EVENT), 'x-new': '1' }).success).toBe(true);
  });

  it('wants of a dead letter why it is there and where it lay', () => {
    const headers = {
      'x-reason-code': 'invalid_json',
      'x-handler': 'offsets',
      'x-topic': 'offset.requested',
      'x-partition': '2',
      'x-position': '7',
      'x-attempts': '0',
      'x-first-failed-at': '2026-01-02T03:04:05.678Z',
      'x-appended-at': '2026-01-01T00:00:00.000Z',
    };
    expect(deadLetterHeadersSchema.strict().safeParse(headers).success).toBe(true);
    expect(deadLetterHeadersSchema.safeParse({ ...headers, 'x-position': '-1' }).success).toBe(false);
  });
});

describe('what is told of topics', () => {
  it('is told of each, in the order of the table', () => {
    expect(Object.keys(TOPIC_FACTS)).toEqual(Object.keys(TOPICS));
  });
});
