import { eventHeadersSchema, requestHeadersSchema } from '@carbon/contracts';
import { contextOf, runInContext } from '@carbon/observability';
import { eventMessage, sizeOf } from './outgoing-message.js';

const facts = { id: 'off_1', subject: 'off_1', source: '/gateway', time: '2026-01-01T00:00:00.000Z' } as const;

describe('an event as a message', () => {
  it('has its topic from its type, its key from its subject, and CloudEvents headers', () => {
    expect(eventMessage('offset.requested.v1', { n: 1 }, facts)).toEqual({
      topic: 'offset.requested',
      key: 'off_1',
      value: '{"n":1}',
      headers: {
        ce_specversion: '1.0',
        ce_id: 'off_1',
        ce_source: '/gateway',
        ce_type: 'offset.requested.v1',
        ce_time: '2026-01-01T00:00:00.000Z',
        ce_subject: 'off_1',
        'content-type': 'application/json',
      },
    });
  });

  it('carries the request and the trace it is made in, unless it brings its own', () => {
    const context = contextOf('r-1');
    const [inherited, own] = runInContext(context, () => [
      eventMessage('offset.requested.v1', {}, facts),
      eventMessage('offset.requested.v1', {}, { ...facts, requestId: 'r-2', traceparent: 'mine' }),
    ]);
    expect(inherited?.headers).toMatchObject({ 'x-request-id': 'r-1', traceparent: context.traceparent });
    expect(own?.headers).toMatchObject({ 'x-request-id': 'r-2', traceparent: 'mine' });
  });

  it('has the headers that the contract names, within a request and outside of one', () => {
    const within = runInContext(contextOf('r-1'), () => eventMessage('offset.requested.v1', {}, facts).headers);
    expect(requestHeadersSchema.strict().parse(within)).toEqual(within);
    const outside = eventMessage('offset.completed.v1', {}, { ...facts, source: '/offsets' }).headers;
    expect(eventHeadersSchema.strict().parse(outside)).toEqual(outside);
  });

  it('withdraws a key with null', () => {
    expect(eventMessage('asset.published.v1', null, { ...facts, source: '/assets' }).value).toBeNull();
  });

  it('is never measured smaller than its bytes', () => {
    const message = {
      topic: 't',
      key: 'ä',
      value: Buffer.alloc(10),
      headers: { a: ['1', Buffer.alloc(5)], b: undefined },
    };
    expect(sizeOf(message)).toBeGreaterThanOrEqual(2 + 10 + 1 + 1 + 1 + 5);
  });
});
