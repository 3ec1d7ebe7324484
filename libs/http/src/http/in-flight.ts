/** The place of one thing that is in flight; to be given back when it has landed. */
export interface Flight<T> {
  readonly value: T;
  /** Where it stands; changes while others leave. */
  at: number;
}

/**
 * What is in flight: some dozens at a time, of which thousands come and go in a second. That is no work for a Map or a Set.
 * Each time as many have come as its table has room for, it takes a new table, and the old one, with all that stood in it, goes on
 * pointing to the new. Once the garbage collector has moved one of these tables to its old generation, it takes all that come
 * after for alive until its next full collection, every request in them included, and copies them: its short pauses
 * then take many times as long. Here nothing that has left points to what came later.
 */
export class InFlight<T> {
  private readonly flights: Flight<T>[] = [];

  get size(): number {
    return this.flights.length;
  }

  /** Those that are in flight now, in no order. */
  values(): T[] {
    return this.flights.map(({ value }) => value);
  }

  enter(value: T): Flight<T> {
    const flight = { value, at: this.flights.length };
    this.flights.push(flight);
    return flight;
  }

  /** The last takes its place. One that has left already may leave again. */
  leave(flight: Flight<T>): void {
    if (this.flights[flight.at] !== flight) return;
    const last = this.flights.pop();
    if (last === undefined || last === flight) return;
    last.at = flight.at;
    this.flights[flight.at] = last;
  }
}
