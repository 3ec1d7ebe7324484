import fc from 'fast-check';
import { type Flight, InFlight } from './in-flight.js';

it('is what has come and not left, whoever leaves first, and however often', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (visits) => {
      const inFlight = new InFlight<number>();
      const here = new Map<number, Flight<number>>();
      const gone: Flight<number>[] = [];
      for (const who of visits) {
        const flight = here.get(who);
        if (flight === undefined) here.set(who, inFlight.enter(who));
        else {
          here.delete(who);
          gone.push(flight);
        }
        for (const one of gone) inFlight.leave(one);
        expect(new Set(inFlight.values())).toEqual(new Set(here.keys()));
        expect(inFlight.size).toBe(here.size);
      }
    }),
  );
});
