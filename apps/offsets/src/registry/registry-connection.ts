import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { RawAnswer } from './registry-contract.js';

/** Where the registry is, and the bounds of every call. */
export interface ConnectionSettings {
  /** Scheme, host, port and the path before `/retirements`. */
  readonly url: string;
  readonly token: string | undefined;
  readonly connections: number;
  readonly connectMs: number;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** By how much an answer may be longer than what was asked, in bytes. */
  readonly answerBytes: number;
}

/** One call. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long what was asked is, in bytes: a retirement repeats it. */
  readonly askedBytes: number;
  /** Gives up the call. */
  readonly signal: AbortSignal;
}

/** The answer is longer than any honest one. */
class TooLong extends Error {
  constructor() {
    super('an answer that is too long');
  }
}

/** It came, or would have left, when its time was over. */
class TooLate extends Error {
  constructor() {
    super('no answer in time');
  }
}

const HEAD_BYTES = 16 * 1024;
/** Shorter than nearly every server's own, so that it is we who close. */
const KEEP_ALIVE_MS = 4_000;

/** HTTP to the registry: bounded in time and size, no redirect followed, nothing unpacked, nothing tried twice. */
export class RegistryConnection {
  private readonly pool: Pool;
  private readonly base: string;
  private readonly always: Readonly<Record<string, string>>;

  constructor(private readonly settings: ConnectionSettings) {
    const { url, token, connections, connectMs, timeoutMs } = settings;
    const { origin, pathname } = new URL(url);
    this.base = pathname.replace(/\/$/, '');
    this.always = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    this.pool = new Pool(origin, {
      connections,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: connectMs },
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: HEAD_BYTES,
    });
  }

  /** The answer, whatever it says. Rejects when there is none in time, or it is too long. */
  async call({ method, path, headers, body, askedBytes, signal }: Call): Promise<RawAnswer> {
    const end = performance.now() + this.settings.timeoutMs;
    const answer = await this.pool.request({
      method,
      path: `${this.base}${path}`,
      headers: {
        ...this.always,
        ...headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      ...(body !== undefined && { body: Readable.from(inTime(body, end)) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(this.settings.timeoutMs)]),
    });
    const bytes = await bounded(answer.body, askedBytes + this.settings.answerBytes);
    // A process that slept comes here before the timer of its signal.
    if (performance.now() > end) throw new TooLate();
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
    const retryAfter = answer.headers['retry-after'];
    return {
      status: answer.statusCode,
      type: type.trim().toLowerCase(),
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      body: bytes,
    };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

/** The body, read once there is a connection. A process that slept until then would ask for what others have taken over. */
function* inTime(body: string, end: number): Generator<string> {
  if (performance.now() > end) throw new TooLate();
  yield body;
}

/** To leave the loop closes the connection, so nobody can go on sending. */
async function bounded(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw new TooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
