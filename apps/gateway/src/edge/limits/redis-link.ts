import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ConnectionSettings, errorText, tlsAdvice } from '@carbon/config';
import { createClient } from '@redis/client';

const CONNECT_MS = 1_000;
const AGAIN_MS = 1_000;
/** So many questions may wait for their answers; past it they fail at once. */
const WAITING = 10_000;

const SETTINGS: ConnectionSettings = {
  engine: 'Redis',
  address: 'RATE_LIMIT_REDIS_URL',
  tlsOn: 'rediss:// in RATE_LIMIT_REDIS_URL',
  tlsOff: 'redis:// in RATE_LIMIT_REDIS_URL',
  ca: 'RATE_LIMIT_REDIS_CA_FILE',
  certificate: 'RATE_LIMIT_REDIS_CERT_FILE with RATE_LIMIT_REDIS_KEY_FILE',
};

/** Paths of PEM files; read anew for each connection. */
export interface TlsFiles {
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** What a person can do about an error, where it says that the settings of the connection are wrong; else undefined. */
export function redisAdvice(error: unknown): string | undefined {
  const text = errorText(error);
  if (/WRONGPASS|NOAUTH/.test(text)) return 'Redis refuses the user or the password: check RATE_LIMIT_REDIS_URL.';
  return tlsAdvice(text, SETTINGS);
}

type Client = ReturnType<typeof clientOf>;

/** One connection to a Redis, made again whenever it is lost. Nothing is asked that cannot be sent at once. */
export class RedisLink {
  /** Why it was last lost or could not be made. */
  lastError: unknown;
  private client: Client;
  private socket: ReturnType<typeof secured>;

  /** @param url `redis://` or `rediss://`, with user, password and database as it may be */
  constructor(
    private readonly url: string,
    private readonly tls: TlsFiles = {},
  ) {
    this.socket = secured(url, tls);
    this.client = this.open();
  }

  /** Whether a question can be sent. */
  get isReady(): boolean {
    return this.client.isReady;
  }

  /** Runs a script on one key. Rejects when there is no connection, or Redis says no. */
  async run(script: Script, key: string, args: readonly string[]): Promise<unknown> {
    const { client } = this;
    try {
      return await client.sendCommand(['EVALSHA', script.sha1, '1', key, ...args]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await client.sendCommand(['EVAL', script.text, '1', key, ...args]);
    }
  }

  /** Gives the connection up for a new one: one that says nothing may be cut without anybody having been told. */
  renew(): void {
    this.close();
    this.readFiles();
    this.client = this.open();
  }

  /** What still waits for an answer fails. */
  close(): void {
    if (this.client.isOpen) this.client.destroy();
  }

  /** A file that cannot be read at the moment, as while it is replaced, leaves the connection what it knew before. */
  private readFiles(): void {
    try {
      this.socket = secured(this.url, this.tls);
    } catch (error) {
      this.lastError = error;
    }
  }

  private open(): Client {
    const client = clientOf(this.url, this.socket);
    client.on('error', (error: unknown) => {
      this.lastError = error;
    });
    client.connect().catch((error: unknown) => {
      this.lastError = error;
    });
    return client;
  }
}

/** A script that Redis knows by the digest of its text, once it has seen it. */
export class Script {
  readonly sha1: string;

  constructor(readonly text: string) {
    this.sha1 = createHash('sha1').update(text).digest('hex');
  }
}

function clientOf(url: string, socket: ReturnType<typeof secured>) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: WAITING,
    disableClientInfo: true,
    socket: {
      ...socket,
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (attempt: number) => Math.min(100 * 2 ** attempt, AGAIN_MS) + Math.random() * 100,
    },
  });
}

/** The host name goes with the handshake, which the client itself leaves out; an IP address must not. */
function secured(url: string, { ca, certificate, key }: TlsFiles) {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'rediss:') return {};
  return {
    tls: true as const,
    ...(isIP(hostname) === 0 && { servername: hostname }),
    ...(ca && { ca: readFileSync(ca) }),
    ...(certificate && { cert: readFileSync(certificate) }),
    ...(key && { key: readFileSync(key) }),
  };
}
