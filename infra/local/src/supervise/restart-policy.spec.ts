import { afterExit } from './restart-policy.js';

describe('the restart policy', () => {
  it('waits 0.2 s, then doubles up to 5 s', () => {
    const minutesApart = [0, 1, 2, 3, 4, 5, 6].map((minute) => minute * 60_000);
    const waits = minutesApart.map((now, exit) => afterExit(minutesApart.slice(0, exit + 1), now));
    expect(waits.map((wait) => (wait.kind === 'again' ? wait.inMs : wait.kind))).toEqual([
      200, 400, 800, 1600, 3200, 5000, 5000,
    ]);
  });

  it('gives up at the sixth exit within two minutes', () => {
    const exits = [0, 1, 2, 3, 4].map((at) => at * 1_000);
    expect(afterExit(exits, 5_000).kind).toBe('again');
    expect(afterExit([...exits, 119_000], 119_000)).toEqual({ kind: 'give-up' });
  });

  it('does not count exits that lie more than two minutes back', () => {
    const exits = [0, 1_000, 2_000, 3_000, 4_000, 125_000];
    expect(afterExit(exits, 125_000)).toEqual({ kind: 'again', inMs: 5_000 });
  });

  it('starts anew when the part has been ready in between', () => {
    expect(afterExit([500_000], 500_000)).toEqual({ kind: 'again', inMs: 200 });
  });
});
