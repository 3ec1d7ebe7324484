/** What another app answered: the bytes as they came, and the headers that may be passed on. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const OPENING = { '[': ']', '{': '}' } as const;

/** An answer that is none of ours: a proxy's page, a stranger on the port, a body cut short. */
export class UntrustedAnswer extends Error {
  override readonly name = 'UntrustedAnswer';
}

/**
 * Passes only what our apps answer to clients: the success that was asked for with JSON, an error with a problem document,
 * or 304 with nothing to a question that named what it has. The body is not parsed, for it is passed on byte for byte; that it is whole and a JSON object or
 * array is seen from its ends.
 * @param conditional whether the question had an `If-None-Match`
 * @param success what a success is answered with
 * @throws UntrustedAnswer
 */
export function trusted(answer: UpstreamAnswer, conditional: boolean, success = 200): UpstreamAnswer {
  if (conditional && isUnchanged(answer)) return answer;
  // That we are not believed is between the two of us; a client would take it for a word on its own key.
  if (answer.status === 401) throw new UntrustedAnswer('does not know us: INTERNAL_SECRETS do not fit');
  const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0];
  const expected = answer.status === success ? 'application/json' : 'application/problem+json';
  if (answer.status !== success && (answer.status < 400 || answer.status > 599)) {
    throw new UntrustedAnswer(`answered ${answer.status}`);
  }
  if (type?.trim().toLowerCase() !== expected) throw new UntrustedAnswer(`answered ${answer.status} as ${type}`);
  if (!looksWhole(answer.body)) throw new UntrustedAnswer(`answered ${answer.status} with a body that is no JSON`);
  return answer;
}

function isUnchanged({ status, headers, body }: UpstreamAnswer): boolean {
  return status === 304 && headers.etag !== undefined && body.length === 0;
}

function looksWhole(body: Buffer): boolean {
  const text = body.toString('latin1', 0, 1);
  const last = body.toString('latin1', body.length - 1);
  return (text === '[' || text === '{') && last === OPENING[text];
}
