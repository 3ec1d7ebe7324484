import { eventually } from '@carbon/testing';
import { StallGuard } from './stall-guard.js';

const MINUTE = 60_000;

describe('StallGuard', () => {
  let time: number;
  let stalls: Error[];
  let guard: StallGuard;

  beforeEach(() => {
    time = 1_000_000;
    stalls = [];
    guard = new StallGuard(
      (error) => stalls.push(error),
      () => time,
    );
  });

  it('lets a process write that was awake', () => {
    for (let minute = 0; minute < 300; minute += 1) {
      time += MINUTE;
      guard.look();
    }
    expect(stalls).toEqual([]);
  });

  it('ends one that stood still for as long as deletions are remembered', () => {
    time += 60 * MINUTE;
    guard.look();
    expect(stalls).toEqual([new Error('The process stood still for 3600000 ms.')]);
  });

  it('looks by itself, also when nothing is written', async () => {
    guard.start(1);
    try {
      time += 60 * MINUTE;
      await eventually(() => expect(stalls).toHaveLength(1));
    } finally {
      guard.stop();
    }
  });
});
