import { cloudEventHeaders } from './cloud-event.js';

const EVENT = {
  id: 'off_1',
  source: '/gateway',
  type: 'offset.requested.v1',
  time: '2026-01-01T00:00:00.000Z',
  subject: 'off_1',
} as const;

describe('the headers of an event', () => {
  it('are those of CloudEvents 1.0 in Kafka binary mode', () => {
    expect(cloudEventHeaders(EVENT)).toEqual({
      ce_specversion: '1.0',
      ce_id: 'off_1',
      ce_source: '/gateway',
      ce_type: 'offset.requested.v1',
      ce_time: '2026-01-01T00:00:00.000Z',
      ce_subject: 'off_1',
      'content-type': 'application/json',
    });
  });

  it('carry the trace of whoever caused it, where there is one', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(cloudEventHeaders({ ...EVENT, traceparent })).toHaveProperty('traceparent', traceparent);
  });
});
