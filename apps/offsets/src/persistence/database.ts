import { setTimeout as sleep } from 'node:timers/promises';
import { TransientError } from '@carbon/http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { MIGRATIONS } from './data-source-options.js';
import { databaseAdvice } from './database-advice.js';
import { FenceHolder } from './fence.js';
import { requireServer, SERVER_VERSION, ServerTooOld } from './server-version.js';
import { mistakeIn, sqlFault } from './sql-fault.js';

/** Runs one statement and gives its rows, whatever the statement. */
export interface Query {
  <Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** What statements that decide must carry. */
  readonly fence: FenceHolder;
}

type Statement = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/** The connections of this process at one moment. */
export interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** Work that waits for one. */
  readonly waiting: number;
  readonly most: number;
}

type DatabaseState = 'away' | 'too old' | 'not migrated' | 'ready';

const RETRY_MS = 500;
/** How long the same mistake is not told again: whatever meets it is tried again and again. */
const SAME_MISTAKE_MS = 10_000;

/**
 * The one door to PostgreSQL. Opens in the background, for as long as it takes, so the app stays up while the database is
 * away; until then, and whenever it cannot serve, what is asked is a TransientError. Data errors pass unchanged.
 */
@Injectable()
export class Database implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Whether this is the database that the process verified. */
  readonly fence = new FenceHolder();
  private readonly logger = new Logger(Database.name);
  private readonly closing = new AbortController();
  private readonly opened = Promise.withResolvers<void>();
  private current: DatabaseState = 'away';
  private advice: string | undefined;
  private opening: Promise<void> | undefined;
  private apart: pg.Pool | undefined;
  private readonly told = new Map<string, number>();

  constructor(private readonly dataSource: DataSource) {}

  /** Resolves once the database was reached and is migrated; not before work may start. */
  get ready(): Promise<void> {
    return this.opened.promise;
  }

  /** Undefined until it was reached for the first time. */
  get pool(): PoolState | undefined {
    const pool = this.shared;
    if (pool === undefined) return undefined;
    const { totalCount: total, idleCount: idle, waitingCount: waiting, options } = pool;
    return { total, idle, waiting, most: options.max };
  }

  onApplicationBootstrap(): void {
    this.opening = this.open();
  }

  /** Called when nothing asks any more. */
  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.opening;
    await this.apart?.end();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  readonly query: Query = this.fenced((sql, parameters = []) =>
    this.guarded(async () => rowsOf(await this.dataSource.query(sql, [...parameters]))),
  );

  /** The same over a connection that nothing else uses: for what is late when it waits behind other work, such as leases. */
  readonly urgent: Query = this.fenced(<Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
    this.guarded(async () => (await this.setApart().query<Row>(sql, [...parameters])).rows),
  );

  /** All of `work` or nothing. It may be run again after a TransientError, even when the commit's answer was lost. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.guarded(() =>
      this.dataSource.transaction((manager) =>
        work(this.fenced(async (sql, parameters = []) => rowsOf(await manager.query(sql, [...parameters])))),
      ),
    );
  }

  /** Reads through the entities. */
  read<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.guarded(() => work(this.dataSource.manager));
  }

  private fenced(statement: Statement): Query {
    return Object.assign(statement, { fence: this.fence });
  }

  private get shared(): pg.Pool | undefined {
    const { driver, isInitialized } = this.dataSource;
    return isInitialized && 'master' in driver ? (driver.master as pg.Pool) : undefined;
  }

  private setApart(): pg.Pool {
    if (this.apart === undefined) {
      const options = this.shared?.options;
      // A pool hides its password from a copy.
      this.apart = new pg.Pool({ ...options, password: options?.password, max: 1 });
      // A connection that broke while idle leaves the pool by itself; what is asked next is told of what goes on.
      this.apart.on('error', () => {});
    }
    return this.apart;
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    if (!this.dataSource.isInitialized) {
      throw new TransientError('service_unavailable', 'The offsets store is not reached yet. Try again shortly.');
    }
    try {
      return await work();
    } catch (error) {
      this.tell(error);
      throw sqlFault(error);
    }
  }

  /** What waits for an outage to pass would else wait for a mistake of ours without a word. */
  private tell(error: unknown): void {
    const code = mistakeIn(error);
    if (code === undefined) return;
    const now = performance.now();
    if (now - (this.told.get(code) ?? Number.NEGATIVE_INFINITY) < SAME_MISTAKE_MS) return;
    this.told.set(code, now);
    this.logger.error('The database cannot make out a statement; it is tried again.', error, { code });
  }

  private async open(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const [before, advice] = [this.current, this.advice];
      this.current = await this.look();
      if (this.current === 'ready') return this.opened.resolve();
      if (this.current !== before || this.advice !== advice)
        this.logger.warn(`The database is ${this.current}; waiting for it. ${this.advice ?? ''}`.trim());
      await sleep(RETRY_MS, undefined, { signal: this.closing.signal }).catch(() => {});
    }
  }

  private async look(): Promise<DatabaseState> {
    try {
      if (!this.dataSource.isInitialized) await this.dataSource.initialize();
      for (const { version } of await this.dataSource.query<{ version: number }[]>(SERVER_VERSION))
        requireServer(version);
      const done = await this.dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
      const names = new Set(done.map(({ name }) => name));
      return MIGRATIONS.every(({ name }) => names.has(name)) ? 'ready' : 'not migrated';
    } catch (error) {
      if (error instanceof ServerTooOld) return this.tooOld(error);
      this.logger.debug(error);
      this.advice = databaseAdvice(error);
      return this.dataSource.isInitialized ? 'not migrated' : 'away';
    }
  }

  private tooOld(error: ServerTooOld): DatabaseState {
    if (this.current !== 'too old') this.logger.error(error);
    return 'too old';
  }
}

/** TypeORM answers UPDATE and DELETE with [rows, count], everything else with the rows. */
function rowsOf<Row>(answer: Row[] | [Row[], number]): Row[] {
  const [first, count] = answer;
  return Array.isArray(first) && typeof count === 'number' ? first : (answer as Row[]);
}
