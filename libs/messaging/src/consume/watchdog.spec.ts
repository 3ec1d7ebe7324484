import { Watchdog } from './watchdog.js';

describe('the watchdog', () => {
  const watching = () => {
    const seen = { kafka: true, probes: 0, stalls: 0 };
    const watchdog = new Watchdog({
      ticks: 3,
      probe: async () => {
        seen.probes += 1;
        return seen.kafka;
      },
      onStall: () => {
        seen.stalls += 1;
      },
    });
    const ticks = async (count: number) => {
      for (let n = 0; n < count; n += 1) await watchdog.tick();
    };
    return { watchdog, seen, ticks };
  };

  it('asks nobody while there are signs of life', async () => {
    const { watchdog, seen, ticks } = watching();
    for (let n = 0; n < 10; n += 1) {
      await ticks(3);
      watchdog.alive();
    }
    expect(seen).toMatchObject({ probes: 0, stalls: 0 });
  });

  it('calls a consumer stalled when it is silent while Kafka has answered as long again', async () => {
    const { seen, ticks } = watching();
    await ticks(6);
    expect(seen.stalls).toBe(0);
    await ticks(1);
    expect(seen.stalls).toBe(1);
  });

  it('never does while Kafka is away, and gives the consumer time to find its way back', async () => {
    const { watchdog, seen, ticks } = watching();
    seen.kafka = false;
    await ticks(100);
    seen.kafka = true;
    await ticks(3);
    expect(seen.stalls).toBe(0);
    watchdog.alive();
    await ticks(6);
    expect(seen.stalls).toBe(0);
  });
});
