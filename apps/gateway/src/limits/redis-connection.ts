import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionSettings, errorText, tlsHint } from '@carbon/config';
import { createClient } from '@redis/client';

const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_MS = 1_000;
/** Commands that wait for their answers; further ones fail at once. */
const MAX_PENDING = 10_000;

const SETTINGS: ConnectionSettings = {
  engine: 'Redis',
  address: 'RATE_LIMIT_REDIS_URL',
  tlsOn: 'rediss:// in RATE_LIMIT_REDIS_URL',
  tlsOff: 'redis:// in RATE_LIMIT_REDIS_URL',
  ca: 'RATE_LIMIT_REDIS_CA_FILE',
  certificate: 'RATE_LIMIT_REDIS_CERT_FILE with RATE_LIMIT_REDIS_KEY_FILE',
};

/** Paths of PEM files; read again for each connection. */
export interface TlsFiles {
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** Returns what to change where an error says that the connection settings are wrong; else undefined. */
export function redisHint(error: unknown): string | undefined {
  const text = errorText(error);
  if (/WRONGPASS|NOAUTH/.test(text)) return 'Redis refuses the user or the password: check RATE_LIMIT_REDIS_URL.';
  return tlsHint(text, SETTINGS);
}

/** A Lua script. Redis knows it by the digest of its text once it has seen it. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

type Client = ReturnType<typeof clientOf>;

/** One connection to a Redis, which reconnects whenever it is lost. A command that cannot be sent at once fails. */
export class RedisConnection {
  /** Why it was last lost or could not be opened. */
  lastError: unknown;
  private client: Client;
  private socket: ReturnType<typeof socketOptions>;

  /** @param url `redis://` or `rediss://`, with user, password and database as needed */
  constructor(
    private readonly url: string,
    private readonly tls: TlsFiles = {},
  ) {
    this.socket = socketOptions(url, tls);
    this.client = this.open();
  }

  /** Whether a command can be sent. */
  get isReady(): boolean {
    return this.client.isReady;
  }

  /** Runs a script on one key. Rejects when there is no connection, or Redis refuses. */
  async run(script: Script, key: string, args: readonly string[]): Promise<unknown> {
    const { client } = this;
    try {
      return await client.sendCommand(['EVALSHA', script.sha1, '1', key, ...args]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await client.sendCommand(['EVAL', script.text, '1', key, ...args]);
    }
  }

  /** Replaces the connection: a silent one may have been cut without notice to either side. */
  renew(): void {
    this.close();
    try {
      this.socket = socketOptions(this.url, this.tls);
    } catch (error) {
      // A file that is being replaced: the connection keeps the options it had.
      this.lastError = error;
    }
    this.client = this.open();
  }

  /** Fails the commands that still wait for an answer. */
  close(): void {
    if (this.client.isOpen) this.client.destroy();
  }

  private open(): Client {
    const keepError = (error: unknown) => {
      this.lastError = error;
    };
    const client = clientOf(this.url, this.socket);
    client.on('error', keepError);
    client.connect().catch(keepError);
    return client;
  }
}

function clientOf(url: string, socket: ReturnType<typeof socketOptions>) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_PENDING,
    disableClientInfo: true,
    socket: {
      ...socket,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectStrategy: (attempt: number) => Math.min(100 * 2 ** attempt, RECONNECT_MS) + Math.random() * 100,
    },
  });
}

/** The client itself leaves the host name out of the TLS handshake. An IP address must not be sent. */
function socketOptions(url: string, { ca, certificate, key }: TlsFiles) {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'rediss:') return {};
  return {
    tls: true as const,
    ...(isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && { servername: hostname }),
    ...(ca && { ca: readFileSync(ca) }),
    ...(certificate && { cert: readFileSync(certificate) }),
    ...(key && { key: readFileSync(key) }),
  };
}
