import { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { RegistryConfig } from './registry.config.js';
import type { RawAnswer } from './registry-contract.js';

/** One call. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The size of the order, in bytes: the answer repeats it. */
  readonly orderBytes: number;
  /** Aborts the call. */
  readonly signal: AbortSignal;
}

const HEAD_BYTES = 16 * 1024;
/** Shorter than nearly every server's own, so that this side closes. */
const KEEP_ALIVE_MS = 4_000;

/** HTTP to the registry: bounded in time and size, without redirects, compression and retries. */
export class RegistryConnection {
  private readonly pool: Pool;
  private readonly base: string;
  private readonly always: Readonly<Record<string, string>>;

  /** @param url scheme, host, port and the path before `/retirements` */
  constructor(
    url: string,
    private readonly config: RegistryConfig,
  ) {
    const { REGISTRY_TOKEN: token, REGISTRY_TIMEOUT_MS: timeoutMs } = config;
    const { origin, pathname } = new URL(url);
    this.base = pathname.replace(/\/$/, '');
    this.always = {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    this.pool = new Pool(origin, {
      connections: config.REGISTRY_CONCURRENCY,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: config.REGISTRY_CONNECT_TIMEOUT_MS },
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxHeaderSize: HEAD_BYTES,
    });
  }

  /** Returns the answer. Rejects without one in time, or when it is too long. */
  async call({ method, path, headers, body, orderBytes, signal }: Call): Promise<RawAnswer> {
    const end = performance.now() + this.config.REGISTRY_TIMEOUT_MS;
    const answer = await this.pool.request({
      method,
      path: `${this.base}${path}`,
      headers: {
        ...this.always,
        ...headers,
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      ...(body !== undefined && { body: Readable.from(beforeDeadline(body, end)) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(this.config.REGISTRY_TIMEOUT_MS)]),
    });
    const bytes = await readAtMost(answer.body, orderBytes + this.config.REGISTRY_ANSWER_BYTES);
    // A suspended process comes here before the timer of its signal.
    if (performance.now() > end) throw new Error('no answer in time');
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

/** The body, read once there is a connection. A process suspended until then would order what others have claimed. */
function* beforeDeadline(body: string, end: number): Generator<string> {
  if (performance.now() > end) throw new Error('no answer in time');
  yield body;
}

/** Leaving the loop closes the connection, so that the server stops sending. */
async function readAtMost(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw new Error('an answer that is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
