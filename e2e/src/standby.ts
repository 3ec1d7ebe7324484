import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@carbon/local';
import { eventually } from '@carbon/testing';
import pg from 'pg';
import { addFile, copyRunningServer, postmasterOf } from './postgres-copies.js';

/** An asynchronous standby of a PostgreSQL server on this machine, by streaming replication. */
export class Standby {
  private constructor(
    readonly port: number,
    private readonly url: string,
    private readonly server: ChildProcess,
  ) {}

  /** Copies the primary and follows it. @param through the port at which the standby reaches the primary */
  static async of(primaryUrl: string, through: number): Promise<Standby> {
    const copy = await copyRunningServer(primaryUrl, 'standby');
    const { username, password } = new URL(primaryUrl);
    const source = `host=127.0.0.1 port=${through} user=${username} password=${decodeURIComponent(password)}`;
    appendFileSync(join(copy.folder, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
    addFile(copy, 'standby.signal', '');
    const postmaster = postmasterOf(copy.data);
    const [, ...words] = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const { POSTGRES_PORT: port } = await freePorts();
    const { port: primaryPort } = new URL(primaryUrl);
    const args = words.map((word) => (word === copy.data ? copy.folder : word === primaryPort ? String(port) : word));
    const { uid, gid } = statSync(copy.data);
    const server = spawn(readlinkSync(`/proc/${postmaster}/exe`), args, {
      uid,
      gid,
      cwd: copy.folder,
      stdio: 'ignore',
    });
    const url = new URL(primaryUrl);
    url.port = String(port);
    const standby = new Standby(port, url.href, server);
    await eventually(() => standby.mustHold('SELECT pg_is_in_recovery() AS answer'));
    return standby;
  }

  /** Resolves when it has replayed everything up to this place of the primary's log. */
  async caughtUp(place: string): Promise<void> {
    await eventually(() => this.mustHold(`SELECT pg_last_wal_replay_lsn() >= '${place}'::pg_lsn AS answer`));
  }

  /** Makes it a primary, with what it has received. */
  async promote(): Promise<void> {
    await this.mustHold('SELECT pg_promote(true, 60) AS answer');
  }

  async stop(): Promise<void> {
    if (this.server.exitCode !== null) return;
    const gone = once(this.server, 'exit');
    this.server.kill('SIGINT');
    await gone;
  }

  private async mustHold(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ answer: boolean }>(sql);
      if (rows[0]?.answer !== true) throw new Error(`The standby denies: ${sql}`);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
