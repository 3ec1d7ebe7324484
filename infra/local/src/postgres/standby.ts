import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { plainEnvironment, postgresHome } from '../engines/engine-parts.js';
import { engineUser, reachableProgram } from '../engines/engine-user.js';
import { prepareServer } from '../parts/postgres.js';
import { freePort } from '../ports.js';
import { waitUntil } from '../processes/pids.js';
import type { AdaptCommand, ProcessPart } from '../supervise/part.js';
import { type RunningParts, startParts } from '../supervise/running-parts.js';
import type { SupervisedPart } from '../supervise/supervised-part.js';
import { addFile, copyRunningPostgres } from './copies.js';
import { withPostgres } from './with-postgres.js';

const NAME = 'postgres-standby';
const READY_TIMEOUT_MS = 60_000;
const CAUGHT_UP_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const ANSWER_TIMEOUT_MS = 5_000;
const PROMOTED_WITHIN_S = 60;

/** The primary of a standby, and the standby's folders. */
export interface PostgresStandbyOptions {
  /** The primary, on this machine, as a user who may replicate. */
  readonly primaryUrl: string;
  /**
   * The port of 127.0.0.1 at which the standby reaches the primary, for example that of a proxy; by default the
   * primary's own.
   */
  readonly primaryPort?: number;
  /** The folder of its log and pid file; it may be the primary's. */
  readonly dir: string;
  /** Changes the command of the server (`postgres-standby`) before each of its starts. */
  readonly adapt?: AdaptCommand;
}

/** An asynchronous standby of a PostgreSQL server on this machine, by streaming replication. */
export class PostgresStandby {
  private constructor(
    readonly port: number,
    /** The address of the primary's database on the standby. */
    readonly url: string,
    private readonly running: RunningParts,
  ) {}

  /** Copies the primary and follows it. The standby ends with this process in any case. */
  static async of({ primaryUrl, primaryPort, dir, adapt }: PostgresStandbyOptions): Promise<PostgresStandby> {
    const url = new URL(primaryUrl);
    const copy = await copyRunningPostgres(primaryUrl, 'standby');
    const { username, password } = url;
    const source = `host=127.0.0.1 port=${primaryPort ?? url.port} user=${username} password=${decodeURIComponent(password)}`;
    appendFileSync(join(copy.folder, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
    addFile(copy, 'standby.signal', '');
    const port = await freePort();
    url.port = String(port);
    const part = await standbyPart(copy.folder, port, url.href);
    return new PostgresStandby(port, url.href, await startParts(dir, [part], { adapt }));
  }

  /** Its server, to be stopped, killed and started again. */
  get part(): SupervisedPart {
    return this.running.part(NAME);
  }

  /** Resolves when it has replayed the primary's log up to this location; rejects after the timeout. */
  async awaitCaughtUp(place: string): Promise<void> {
    const replayed = `SELECT pg_last_wal_replay_lsn() >= '${place}'::pg_lsn AS answer`;
    if (await waitUntil(() => holds(this.url, replayed).catch(() => false), CAUGHT_UP_TIMEOUT_MS, POLL_MS)) return;
    throw new Error(`The standby has not replayed the log up to ${place} within ${CAUGHT_UP_TIMEOUT_MS / 1000} s.`);
  }

  /** Promotes it, with what it has received. */
  async promote(): Promise<void> {
    const sql = `SELECT pg_promote(true, ${PROMOTED_WITHIN_S}) AS answer`;
    const promoted = await holds(this.url, sql, PROMOTED_WITHIN_S * 1_000 + ANSWER_TIMEOUT_MS);
    if (!promoted) throw new Error(`The standby was not promoted within ${PROMOTED_WITHIN_S} s.`);
  }

  /** Stops the server. Its data is kept. */
  async stop(): Promise<void> {
    await this.running.stop();
  }
}

async function standbyPart(data: string, port: number, url: string): Promise<ProcessPart> {
  const user = engineUser();
  const home = await reachableProgram(await postgresHome(), 'bin/postgres', user);
  return {
    kind: 'process',
    name: NAME,
    after: [],
    prepare: async () => prepareServer({ user, port, environment: plainEnvironment() }, home, data),
    ready: () => holds(url, 'SELECT true AS answer'),
    readyWithinMs: READY_TIMEOUT_MS,
  };
}

async function holds(url: string, sql: string, timeoutMs = ANSWER_TIMEOUT_MS): Promise<boolean> {
  const query = (client: pg.Client) => client.query<{ answer: boolean }>(sql);
  const { rows } = await withPostgres(url, query, { query_timeout: timeoutMs });
  return rows[0]?.answer === true;
}
