import { hardExitMs, SHUTDOWN_PHASES } from './shutdown-times.js';

describe('the hard exit of a shutdown', () => {
  it.each([0, 500, 12_000, 60_000])('comes after a grace period of %d ms and every phase', (graceMs) => {
    const { drainMs, joinMs, leaveMs, flushMs, disconnectMs } = SHUTDOWN_PHASES;
    expect(hardExitMs(graceMs)).toBeGreaterThan(graceMs + drainMs + joinMs + leaveMs + flushMs + disconnectMs);
    expect(hardExitMs(graceMs)).toBe(graceMs + 30_000);
  });
});
