/** Every time-out and limit of an app's HTTP server. Sizes in bytes, times in milliseconds. */
export interface HttpLimits {
  /**
   * Connections at a time: more are closed at once. Without it those on which nothing is asked take all file descriptors of
   * the process, and none is left to reach another app or to read a file.
   */
  readonly connections: number;
  /** Body: 413 beyond. */
  readonly bodyBytes: number;
  /** Objects and arrays within each other in a JSON body: 400 beyond. */
  readonly jsonDepth: number;
  /** Request target, path and query: 414 beyond. */
  readonly urlBytes: number;
  /** Request line and headers together: 431 beyond. */
  readonly headBytes: number;
  /** A single path parameter: 414 beyond. */
  readonly pathParameterCharacters: number;
  /** From the first byte to the last byte of a request: 408 beyond. */
  readonly requestMs: number;
  /** From the first byte to the end of the head: 408 beyond. */
  readonly headMs: number;
  /** How often the two above are checked. */
  readonly checkEveryMs: number;
  /** From routing to the answer: 503 beyond. A backstop above the handlers' own deadlines and a slow body together. */
  readonly handlerMs: number;
  /** How long an idle kept-alive connection stays open; longer than the 60 s of common load balancers. */
  readonly keepAliveMs: number;
  /** How long a socket may neither send nor take a byte, a slow reader of answers included. */
  readonly socketIdleMs: number;
}

/** The limits when nothing else is configured. */
export const HTTP_LIMITS: HttpLimits = {
  connections: 10_000,
  bodyBytes: 16 * 1024,
  jsonDepth: 8,
  urlBytes: 16 * 1024,
  headBytes: 24 * 1024,
  pathParameterCharacters: 64,
  requestMs: 10_000,
  headMs: 5_000,
  checkEveryMs: 1_000,
  handlerMs: 16_000,
  keepAliveMs: 65_000,
  socketIdleMs: 70_000,
};

/** The limits that can be set, by the name of their setting. */
export interface HttpLimitSettings {
  readonly HTTP_CONNECTIONS: number;
  readonly HTTP_BODY_BYTES: number;
  readonly HTTP_URL_BYTES: number;
  readonly HTTP_HEAD_BYTES: number;
  readonly HTTP_JSON_DEPTH: number;
  readonly HTTP_REQUEST_MS: number;
}

/** The limits an app's settings ask for. */
export function httpLimits(settings: HttpLimitSettings): Partial<HttpLimits> {
  return {
    connections: settings.HTTP_CONNECTIONS,
    bodyBytes: settings.HTTP_BODY_BYTES,
    urlBytes: settings.HTTP_URL_BYTES,
    headBytes: settings.HTTP_HEAD_BYTES,
    jsonDepth: settings.HTTP_JSON_DEPTH,
    requestMs: settings.HTTP_REQUEST_MS,
    headMs: Math.min(HTTP_LIMITS.headMs, settings.HTTP_REQUEST_MS),
    handlerMs: settings.HTTP_REQUEST_MS + 6_000,
  };
}
