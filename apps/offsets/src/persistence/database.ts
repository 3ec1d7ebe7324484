import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '@carbon/http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import {
  databaseHint,
  requireServer,
  SERVER_VERSION,
  ServerTooOld,
  statementErrorCode,
  toTransientError,
} from './database-errors.js';
import { FenceHolder } from './fence.js';
import { MIGRATIONS } from './migrations/index.js';
import { inTransaction, type Statement, type TransactionOptions } from './transaction.js';

/** Runs one statement and returns its rows. */
export interface Query extends Statement {
  /** Statements that decide must check it. */
  readonly fence: FenceHolder;
}

/** The connections of this process. */
export interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** Queries and transactions that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

type ConnectionState = 'away' | 'too old' | 'not migrated' | 'ready';

const RETRY_MS = 500;
/** Prepared statements of each use: each session keeps a plan of each, some tens of kilobytes. */
const MAX_PREPARED = 100;
/** How long the same statement error is not logged again, because the statement is retried continuously. */
const LOG_AGAIN_MS = 10_000;

/**
 * Runs statements on PostgreSQL. Connects in the background for as long as it takes, so that the app stays up without the database.
 * Until then, and whenever the database cannot serve, statements fail with a TransientError. Data errors pass unchanged.
 */
@Injectable()
export class Database implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly fence = new FenceHolder();
  private readonly logger = new Logger(Database.name);
  private readonly closing = new AbortController();
  private readonly opened = Promise.withResolvers<void>();
  private current: ConnectionState = 'away';
  private hint: string | undefined;
  private opening: Promise<void> | undefined;
  private urgentPool: pg.Pool | undefined;
  private readonly loggedAt = new Map<string, number>();
  /** The texts of reads vary, and must not use up the names of transactions. */
  private readonly statementNames = { read: new Map<string, string>(), transaction: new Map<string, string>() };

  constructor(private readonly dataSource: DataSource) {}

  /** Resolves once the database is reached and migrated. */
  get ready(): Promise<void> {
    return this.opened.promise;
  }

  /** Undefined until the database is reached for the first time. */
  get pool(): PoolState | undefined {
    if (!this.dataSource.isInitialized) return undefined;
    const { totalCount: total, idleCount: idle, waitingCount: waiting, options } = this.sharedPool;
    return { total, idle, waiting, max: options.max };
  }

  onApplicationBootstrap(): void {
    this.opening = this.open();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.opening;
    await this.urgentPool?.end();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  readonly query: Query = this.fenced((sql, parameters = []) =>
    this.guarded(async () => rowsOf(await this.dataSource.query(sql, [...parameters]))),
  );

  /** Uses a connection of its own, for statements that must not wait behind other work, such as renewals of leases. */
  readonly urgent: Query = this.fenced(<Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
    this.guarded(async () => (await this.openUrgentPool().query<Row>(sql, [...parameters])).rows),
  );

  /**
   * Runs `work` in a transaction, with prepared statements. It may be retried after a TransientError, even when the response to the
   * commit was lost.
   */
  transaction<T>(work: (query: Query) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.guarded(async () => {
      const session = await this.sharedPool.connect();
      const configOf = (sql: string, parameters: readonly unknown[]) => this.named('transaction', sql, parameters);
      return await inTransaction(session, configOf, (statement) => work(this.fenced(statement)), options);
    });
  }

  /**
   * Runs a read that clients repeat. A direct session prepares it, so its text must be one of few: values that vary are parameters.
   */
  prepared<Row extends object>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.guarded(async () => {
      const session = await this.sharedPool.connect();
      try {
        return (await session.query<Row>(this.named('read', sql, parameters))).rows;
      } finally {
        session.release();
      }
    });
  }

  /** Reads through the entities. */
  read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.guarded(() => work(this.dataSource.manager));
  }

  private fenced(statement: Statement): Query {
    return Object.assign(statement, { fence: this.fence });
  }

  /** There is none before the data source is initialized. */
  private get sharedPool(): pg.Pool {
    return (this.dataSource.driver as PostgresDriver).master;
  }

  /** Statements beyond the limit have no name, and are planned each time. */
  private named(use: keyof typeof this.statementNames, text: string, values: readonly unknown[]): pg.QueryConfig {
    const names = this.statementNames[use];
    if (names.size < MAX_PREPARED && !names.has(text)) names.set(text, `${use}_${names.size}`);
    return { name: names.get(text), text, values: [...values] };
  }

  private openUrgentPool(): pg.Pool {
    if (this.urgentPool === undefined) {
      const { options } = this.sharedPool;
      // The password of a pool's options is not enumerable.
      this.urgentPool = new pg.Pool({ ...options, password: options.password, max: 1 });
      // The pool replaces an idle connection that broke; without a listener the error would end the process.
      this.urgentPool.on('error', () => {});
    }
    return this.urgentPool;
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    if (!this.dataSource.isInitialized) {
      throw new TransientError('service_unavailable', 'The offsets store is not connected yet. Try again shortly.');
    }
    try {
      return await work();
    } catch (error) {
      this.logStatementError(error);
      throw toTransientError(error);
    }
  }

  /** A statement that can never succeed would otherwise be retried silently, like one that waits for the end of an outage. */
  private logStatementError(error: unknown): void {
    const code = statementErrorCode(error);
    if (code === undefined) return;
    const now = performance.now();
    if (now - (this.loggedAt.get(code) ?? Number.NEGATIVE_INFINITY) < LOG_AGAIN_MS) return;
    this.loggedAt.set(code, now);
    this.logger.error('The database rejects a statement; it is retried.', error, { code });
  }

  private async open(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const [before, previousHint] = [this.current, this.hint];
      this.current = await this.look();
      if (this.current === 'ready') return this.opened.resolve();
      if (this.current !== before || this.hint !== previousHint)
        this.logger.warn(`The database is ${this.current}; waiting for it. ${this.hint ?? ''}`.trim());
      await sleep(RETRY_MS, undefined, { signal: this.closing.signal }).catch(() => {});
    }
  }

  private async look(): Promise<ConnectionState> {
    this.hint = undefined;
    try {
      if (!this.dataSource.isInitialized) await this.dataSource.initialize();
      for (const { version } of await this.dataSource.query<{ version: number }[]>(SERVER_VERSION))
        requireServer(version);
      const done = await this.dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
      const names = new Set(done.map(({ name }) => name));
      return MIGRATIONS.every(({ name }) => names.has(name)) ? 'ready' : 'not migrated';
    } catch (error) {
      if (error instanceof ServerTooOld) {
        if (this.current !== 'too old') this.logger.error(error);
        return 'too old';
      }
      this.logger.debug(error);
      this.hint = databaseHint(error);
      return this.dataSource.isInitialized ? 'not migrated' : 'away';
    }
  }
}

/** TypeORM returns [rows, count] for UPDATE and DELETE, and the rows for everything else. */
function rowsOf<Row>(answer: Row[] | [Row[], number]): Row[] {
  const [first, count] = answer;
  return Array.isArray(first) && typeof count === 'number' ? first : (answer as Row[]);
}
