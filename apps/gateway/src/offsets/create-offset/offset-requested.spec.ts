import { fingerprint, Ids, offsetRequestedV1 } from '@carbon/contracts';
import { TransientError } from '@carbon/http';
import { NotPublished, PublishOutcomeUnknown } from '@carbon/messaging';
import fc from 'fast-check';
import { requestMessage } from './offset-requested.js';
import { publishFault } from './publish-fault.js';

const ids = new Ids({ ids: ['a secret'], idempotency: ['another'] });
const createdAt = '2026-03-02T10:15:30.123Z';
const offset = { id: ids.mint('off', 'default', Date.parse(createdAt)), account: 'default', createdAt };
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }).filter((value) => !/\p{Cc}/u.test(value));

describe('the event of a requested offset', () => {
  it('keeps its contract whatever was asked for, on the wire as well', () => {
    const wish = fc.record(
      {
        kgCO2e: fc.double({ min: Number.MIN_VALUE, max: 1e12, noNaN: true }),
        estimateId: text,
        customerRef: text,
      },
      { requiredKeys: ['kgCO2e'] },
    );
    fc.assert(
      fc.property(wish, (asked) => {
        const message = requestMessage({ ...offset, wish: asked, fingerprint: fingerprint(asked) });
        expect(offsetRequestedV1.parse(JSON.parse(String(message.value)))).toMatchObject(asked);
      }),
    );
  });

  it('lies under the offset’s id, with the headers of a CloudEvent', () => {
    const { topic, key, headers } = requestMessage({
      ...offset,
      wish: { kgCO2e: 1 },
      fingerprint: fingerprint({ kgCO2e: 1 }),
    });
    expect({ topic, key }).toEqual({ topic: 'offset.requested', key: offset.id });
    expect(headers).toEqual({
      ce_specversion: '1.0',
      ce_id: offset.id,
      ce_source: '/gateway',
      ce_type: 'offset.requested.v1',
      ce_time: createdAt,
      ce_subject: offset.id,
      'content-type': 'application/json',
    });
  });
});

describe('an event that was not published', () => {
  it.each([
    [new NotPublished('full'), 'not_accepted'],
    [new NotPublished('deadline'), 'not_accepted'],
    [new PublishOutcomeUnknown(), 'outcome_unknown'],
  ])('is %s, with the key for a retry', (error, code) => {
    const fault = publishFault(error, 'order-7');
    expect(fault).toBeInstanceOf(TransientError);
    expect(fault).toMatchObject({ code, members: { retryKey: 'order-7' }, cause: error });
  });

  it('is the bug that it was when it is none of these', () => {
    const bug = new TypeError('a bug');
    expect(publishFault(bug, 'k')).toBe(bug);
  });
});
