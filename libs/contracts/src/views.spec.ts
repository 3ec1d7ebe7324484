import { acceptedMessage, offsetView, queuedOffsetView } from './views.js';

describe('the answer to an accepted offset', () => {
  it('is this sentence and nothing else', () => {
    expect(JSON.stringify(acceptedMessage('off_1'))).toBe(
      '{"message":"Offset event with ID: off_1 queued for processing."}',
    );
  });
});

describe('an offset not recorded yet', () => {
  it('shows id and status, and bears the time that an older gateway told', () => {
    expect(queuedOffsetView.safeParse({ id: 'off_1', status: 'queued' }).success).toBe(true);
    const timed = { id: 'off_1', status: 'queued', createdAt: '2026-01-01T00:00:00.000Z' };
    expect(queuedOffsetView.safeParse(timed).success).toBe(true);
    expect(queuedOffsetView.safeParse({ id: 'off_1', status: 'processing' }).success).toBe(false);
  });
});

describe('a recorded offset', () => {
  const view = {
    id: 'off_1',
    status: 'queued',
    kgCO2e: 1234.5,
    credits: 1.2345,
    creditsMatched: 0,
    retirements: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  };

  it('leaves out what is absent, never says null, and shows nothing of the inside', () => {
    expect(offsetView.safeParse(view).success).toBe(true);
    expect(offsetView.safeParse({ ...view, cost: null }).success).toBe(false);
    expect(offsetView.safeParse({ ...view, account: 'default' }).success).toBe(false);
  });
});
