import { fingerprint, Ids, type OffsetRequest, offsetRequestedV1 } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import { NotPublished, PublishOutcomeUnknown } from '@carbon/messaging';
import fc from 'fast-check';
import { offsetRequested, publishError, requestMessage } from './offset-requested.js';

const ids = new Ids({ ids: ['a secret'], idempotency: ['another'] });
const createdAt = '2026-03-02T10:15:30.123Z';
const id = ids.generate('off', 'default', Date.parse(createdAt));
const messageOf = (request: OffsetRequest) =>
  requestMessage(offsetRequested(request, { id, account: 'default', createdAt, fingerprint: fingerprint(request) }));
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }).filter((value) => !/\p{Cc}/u.test(value));

describe('the event of a new offset', () => {
  it('matches its schema on the wire, whatever was requested', () => {
    const requests = fc.record(
      {
        kgCO2e: fc.double({ min: Number.MIN_VALUE, max: 1e12, noNaN: true }),
        estimateId: text,
        customerRef: text,
      },
      { requiredKeys: ['kgCO2e'] },
    );
    fc.assert(
      fc.property(requests, (request) => {
        expect(offsetRequestedV1.parse(JSON.parse(String(messageOf(request).value)))).toMatchObject(request);
      }),
    );
  });

  it('has the offset’s id as its key, and the headers of a CloudEvent', () => {
    const { topic, key, headers } = messageOf({ kgCO2e: 1 });
    expect({ topic, key }).toEqual({ topic: 'offset.requested', key: id });
    expect(headers).toEqual({
      ce_specversion: '1.0',
      ce_id: id,
      ce_source: '/gateway',
      ce_type: 'offset.requested.v1',
      ce_time: createdAt,
      ce_subject: id,
      'content-type': 'application/json',
    });
  });
});

describe('a failure to publish', () => {
  it.each([
    [new NotPublished('full'), 'not_accepted'],
    [new NotPublished('deadline'), 'not_accepted'],
    [new PublishOutcomeUnknown(), 'outcome_unknown'],
  ])('is %s: %s, with the key for a retry', (error, code) => {
    const problem = publishError(error, 'order-7');
    expect(problem).toBeInstanceOf(TransientError);
    expect(problem).toMatchObject({ code, members: { retryKey: 'order-7' }, cause: error });
  });

  it('leaves any other error as it is', () => {
    const bug = new TypeError('a bug');
    expect(publishError(bug, 'k')).toBe(bug);
  });
});
