/** What part of an address a server serves anything under: that much of one where nothing is may be logged. */
export class KnownBeginnings {
  private readonly beginnings = new Set<string>();

  /** Learns a route, up to its first step that may be anything. */
  add(route: string): void {
    let beginning = '';
    for (const step of route.split('/').slice(1)) {
      if (/[:*]/.test(step)) return;
      beginning += `/${step}`;
      this.beginnings.add(beginning);
    }
  }

  /** The steps of a path that are also those of a route, letter for letter; `…` stands for all behind them. */
  of(path: string): string {
    let known = '';
    while (known.length < path.length) {
      const end = path.indexOf('/', known.length + 1);
      const longer = end < 0 ? path : path.slice(0, end);
      if (!this.beginnings.has(longer)) return `${known}/…`;
      known = longer;
    }
    return known;
  }
}
