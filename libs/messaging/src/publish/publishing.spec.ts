import { eventHeadersSchema, requestHeadersSchema } from '@carbon/contracts';
import { createContext, runInContext } from '@carbon/observability';
import kafkajs from 'kafkajs';
import { eventMessage, isPermanent } from './publisher.js';
import { SendQueue, sizeOf } from './send-queue.js';

describe('an event as a message', () => {
  const facts = { id: 'off_1', subject: 'off_1', source: '/gateway', time: '2026-01-01T00:00:00.000Z' } as const;

  it('has its topic from its type, its key from its subject, and the CloudEvents headers of the contract', () => {
    const { headers, ...rest } = eventMessage('offset.requested.v1', { n: 1 }, facts);
    expect(rest).toEqual({ topic: 'offset.requested', key: 'off_1', value: '{"n":1}' });
    expect(headers).toEqual({
      ce_specversion: '1.0',
      ce_id: 'off_1',
      ce_source: '/gateway',
      ce_type: 'offset.requested.v1',
      ce_time: '2026-01-01T00:00:00.000Z',
      ce_subject: 'off_1',
      'content-type': 'application/json',
    });
    const outcome = eventMessage('offset.completed.v1', {}, { ...facts, source: '/offsets' }).headers;
    expect(eventHeadersSchema.strict().parse(outcome)).toEqual(outcome);
  });

  it('has the request ID and the trace of the current context, unless it has its own', () => {
    const context = createContext('r-1');
    const [inherited, own] = runInContext(context, () => [
      eventMessage('offset.requested.v1', {}, facts),
      eventMessage('offset.requested.v1', {}, { ...facts, requestId: 'r-2', traceparent: 'mine' }),
    ]);
    expect(inherited?.headers).toMatchObject({ 'x-request-id': 'r-1', traceparent: context.traceparent });
    expect(requestHeadersSchema.strict().parse(inherited?.headers)).toEqual(inherited?.headers);
    expect(own?.headers).toMatchObject({ 'x-request-id': 'r-2', traceparent: 'mine' });
  });

  it('is a tombstone when its data is null', () => {
    expect(eventMessage('asset.published.v1', null, { ...facts, source: '/assets' }).value).toBeNull();
  });

  it('is never measured smaller than it is', () => {
    const headers = { a: ['1', Buffer.alloc(5)], b: undefined };
    const message = { topic: 't', key: 'ä', value: Buffer.alloc(10), headers };
    expect(sizeOf(message)).toBeGreaterThanOrEqual(2 + 10 + 1 + 1 + 1 + 5);
  });
});

describe('a refusal of a broker', () => {
  it.each([
    ['MESSAGE_TOO_LARGE', false, true],
    ['TOPIC_AUTHORIZATION_FAILED', false, true],
    ['NOT_ENOUGH_REPLICAS', true, false],
    ['NOT_LEADER_FOR_PARTITION', true, false],
    // The next connection may have a valid token.
    ['SASL_AUTHENTICATION_FAILED', false, false],
    ['ILLEGAL_SASL_STATE', false, false],
  ])('%s (retriable: %j) is final: %j, however kafkajs wraps it', (type, retriable, final) => {
    const cause = new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, retriable }));
    expect([isPermanent(cause), isPermanent(new Error('wrapped', { cause }))]).toEqual([final, final]);
  });
});

describe('the send queue', () => {
  const lineOf = (...sizes: number[]) => {
    const line = new SendQueue<{ bytes: number }>();
    const entries = sizes.map((bytes) => ({ bytes }));
    for (const entry of entries) line.add(entry);
    const take = (messages: number) => line.take({ messages, bytes: 100 }).map(({ bytes }) => bytes);
    return { line, entries, take };
  };

  it('ends a batch at the limit of messages, and before the limit of bytes', () => {
    const few = lineOf(1, 2, 3);
    expect([few.take(2), few.take(2), few.line.length]).toEqual([[1, 2], [3], 0]);
    const large = lineOf(60, 40, 1);
    expect(large.take(10)).toEqual([60, 40]);
  });

  it('puts an entry larger than a batch into one of its own', () => {
    const { take } = lineOf(500, 1);
    expect([take(10), take(10)]).toEqual([[500], [1]]);
  });

  it('removes an entry only while it is queued', () => {
    const { line, entries, take } = lineOf(1, 2, 3);
    expect(line.remove(entries[1] ?? { bytes: 0 })).toBe(true);
    expect(take(10)).toEqual([1, 3]);
    expect(line.remove(entries[0] ?? { bytes: 0 })).toBe(false);
  });
});
