import { createHash } from 'node:crypto';
import { createClient } from '@redis/client';

const CONNECT_MS = 1_000;
const AGAIN_MS = 1_000;
/** So many questions may wait for their answers; past it they fail at once. */
const WAITING = 10_000;

type Client = ReturnType<typeof clientOf>;

/** One connection to a Redis, made again whenever it is lost. Nothing is asked that cannot be sent at once. */
export class RedisLink {
  /** Why it was last lost or could not be made. */
  lastError: unknown;
  private client: Client;

  /** @param url `redis://` or `rediss://`, with user, password and database as it may be */
  constructor(private readonly url: string) {
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
    this.client = this.open();
  }

  /** What still waits for an answer fails. */
  close(): void {
    if (this.client.isOpen) this.client.destroy();
  }

  private open(): Client {
    const client = clientOf(this.url);
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

function clientOf(url: string) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: WAITING,
    disableClientInfo: true,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (attempt: number) => Math.min(100 * 2 ** attempt, AGAIN_MS) + Math.random() * 100,
    },
  });
}
