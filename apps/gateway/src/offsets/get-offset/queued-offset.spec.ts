import { queuedOffsetView } from '@carbon/contracts';
import { isUnrecorded } from '../unrecorded.js';
import { queuedOffset } from './queued-offset.js';

const answer = (status: number, body: string) => ({ status, headers: {}, body: Buffer.from(body) });

describe('an offset that is not recorded yet', () => {
  it('is known from the offsets service’s own 404, and from nothing else', () => {
    expect(isUnrecorded(answer(404, '{"code":"not_found"}'))).toBe(true);
    expect(isUnrecorded(answer(404, '{"code":"method_not_allowed"}'))).toBe(false);
    expect(isUnrecorded(answer(404, '{"error":"no route"}'))).toBe(false);
    expect(isUnrecorded(answer(404, '{not JSON}'))).toBe(false);
    expect(isUnrecorded(answer(404, '[]'))).toBe(false);
    expect(isUnrecorded(answer(200, '{"code":"not_found"}'))).toBe(false);
  });

  it('is shown as queued, and without a time', () => {
    const { status, body } = queuedOffset('off_1');
    expect(status).toBe(200);
    expect(queuedOffsetView.parse(JSON.parse(body.toString()))).toEqual({ id: 'off_1', status: 'queued' });
  });
});
