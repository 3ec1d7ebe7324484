import FindMyWay from 'find-my-way';

/** The routes an app serves, asked the other way round: which methods does this path know? */
export class KnownRoutes {
  private readonly router = FindMyWay({ maxParamLength: 64 * 1024 });
  private readonly methodsKnown = new Set<FindMyWay.HTTPMethod>();

  add(method: string | readonly string[], url: string): void {
    for (const one of [method].flat() as FindMyWay.HTTPMethod[]) {
      this.methodsKnown.add(one);
      if (!this.router.hasRoute(one, url)) this.router.on(one, url, () => undefined);
    }
  }

  /** The methods of any path, OPTIONS included. */
  methods(): string[] {
    return [...new Set([...this.methodsKnown, 'OPTIONS'])].sort();
  }

  /** The methods of a path, OPTIONS included, for `Allow`; none when the path is not known at all. */
  methodsOf(path: string): string[] {
    const known = [...this.methodsKnown].filter((method) => this.router.find(method, path) !== null);
    return known.length === 0 ? [] : [...new Set([...known, 'OPTIONS'])].sort();
  }
}
