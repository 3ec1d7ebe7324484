import { eventually } from '@carbon/testing';
import { Outage } from '../open-search/refusal.js';
import { StallGuard } from './stall-guard.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

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

  const write = () => guard.look();

  it('lets a process write that was awake, for hours', () => {
    for (let look = 0; look < 3_600; look += 1) {
      time += 5 * SECOND;
      expect(write).not.toThrow();
    }
    expect(stalls).toEqual([]);
  });

  it('holds writes back after a pause as long as the group waits for a silent member, and lets them go again', () => {
    time += 10 * SECOND;
    expect(write).toThrow(Outage);
    time += 2 * SECOND;
    expect(write).toThrow(Outage);
    time += SECOND;
    expect(write).not.toThrow();
    expect(stalls).toEqual([]);
  });

  it('holds them back anew after every pause', () => {
    for (let pause = 0; pause < 3; pause += 1) {
      time += 10 * SECOND;
      expect(write).toThrow(Outage);
      time += 3 * SECOND;
      expect(write).not.toThrow();
    }
  });

  it('does not forget a pause that it noticed by itself before anything was written', async () => {
    guard.start(1);
    try {
      time += 60 * MINUTE;
      await eventually(() => expect(stalls).toHaveLength(1));
      expect(write).toThrow(Outage);
    } finally {
      guard.stop();
    }
  });

  it('does not hold anything up because the clock was set back', () => {
    time += 10 * SECOND;
    expect(write).toThrow(Outage);
    time -= 60 * MINUTE;
    expect(write).not.toThrow();
  });

  it('ends a process that stood still for as long as deletions are remembered at most', () => {
    time += 60 * MINUTE;
    expect(write).toThrow(Outage);
    expect(stalls).toEqual([new Error('The process stood still for 3600000 ms.')]);
  });
});
