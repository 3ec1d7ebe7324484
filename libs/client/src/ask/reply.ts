/** A whole answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The idempotency key of the request: where the answer leaves open what became of that, it is the key to retry with. */
  readonly sentKey: string | undefined;
}

/** The body as JSON; undefined when it is none. */
export function jsonOf({ text }: Reply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value is an object whose members can be looked at. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the answer says that its body is of one of these media types, whatever parameters follow. */
export function isOfType({ headers }: Reply, ...types: readonly string[]): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return types.includes(type.trim().toLowerCase());
}
