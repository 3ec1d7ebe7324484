import type { Asset, OffsetRequest, OffsetRequestedV1 } from '@carbon/contracts';
import type { Batch, Message } from '@carbon/messaging';
import { freshDatabase } from '@carbon/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { DEFAULT_PREFERENCE, Preference } from '../domain/preference.js';
import { type RequestedOffset, requested } from '../domain/request.js';
import type { EstimateRequest } from '../estimates/estimate-request.js';
import { FindEstimate } from '../estimates/find-estimate.js';
import { MakeEstimate } from '../estimates/make-estimate.js';
import { Bells } from '../fulfillment/bell.js';
import { SupplyGate } from '../fulfillment/gate.js';
import { ReserveCredits } from '../fulfillment/reserve-credits.js';
import { RetireOffsets } from '../fulfillment/retire-offsets.js';
import { SettleAnswers } from '../fulfillment/settle-answers.js';
import type { FreshEvents } from '../outbox/fresh-events.js';
import { FindAssetNames } from '../persistence/asset-names.js';
import { dataSourceOptions } from '../persistence/data-source-options.js';
import { Database } from '../persistence/database.js';
import { readDatabaseState } from '../persistence/fence.js';
import { OwnRows } from '../persistence/own-rows.js';
import { migrate } from '../persistence/run-migrations.js';
import { RecordOffsets } from '../receive/record-offsets.js';
import { AskRegistry } from '../registry/ask-registry.js';
import type { Registry } from '../registry/registry.js';
import { LedgerRegistry } from '../registry/registry.ledger.js';
import { recordSupply } from '../supply/record-supply.js';
import { ids, received, request } from './events.js';
import { StoredRows } from './stored-rows.js';

/** A day in ms. */
export const DAY_MS = 24 * 3_600_000;
const READING = { id: '00000000-0000-4000-8000-000000000001', number: 1 };

/** A preference, the default one unless its text is given. */
export function preference(text: string = DEFAULT_PREFERENCE): Preference {
  const read = Preference.read(text);
  if (!read) throw new Error(`${text} is no preference.`);
  return read;
}

/** A migrated database of a test file's own, with the steps on it, and no Kafka. */
export class TestDatabase extends StoredRows {
  readonly bells = new Bells();
  readonly recordOffsets: RecordOffsets;
  readonly reserveCredits: ReserveCredits;
  readonly retireOffsets: RetireOffsets;
  /** The rows of an account, as clients read them. */
  readonly ownRows: OwnRows;
  readonly findEstimate: FindEstimate;
  readonly makeEstimate: MakeEstimate;
  readonly gate = new SupplyGate();
  private position = -1n;

  private constructor(
    readonly url: string,
    sql: pg.Pool,
    readonly database: Database,
    private readonly drop: () => Promise<void>,
  ) {
    super(sql);
    this.recordOffsets = new RecordOffsets(database, this.bells);
    this.reserveCredits = new ReserveCredits(database, this.bells, preference());
    this.retireOffsets = this.retiring(new LedgerRegistry());
    this.ownRows = new OwnRows(database);
    this.findEstimate = new FindEstimate(this.ownRows, new FindAssetNames(database));
    this.makeEstimate = new MakeEstimate(database, this.ownRows, this.gate, preference(), this.findEstimate);
    this.gate.open();
  }

  static async create(waits: Waits = {}): Promise<TestDatabase> {
    const { url, drop } = await freshDatabase({ name: 'offsets', migrate: async (each) => void (await migrate(each)) });
    const sql = new pg.Pool({ connectionString: url, max: 3 });
    sql.on('error', () => {});
    return new TestDatabase(url, sql, await openDatabase(url, waits), drop);
  }

  /** The step that retires, with a registry of the test's own. */
  retiring(registry: Registry, fresh?: FreshEvents): RetireOffsets {
    const { database, bells } = this;
    const settle = new SettleAnswers(database, bells);
    const ask = new AskRegistry(database, registry, settle, bells, { firstMs: 20, lastMs: 200, alarmAttempts: 3 });
    return new RetireOffsets(database, registry, settle, ask, bells, undefined, fresh);
  }

  /** The steps of one more process on the same database. */
  beside(database: Database): TestDatabase {
    return new TestDatabase(this.url, this.sql, database, this.drop);
  }

  /** Runs work on the connections of that many more processes, and closes them. */
  async withOthers<T>(count: number, work: (databases: Database[]) => Promise<T>): Promise<T> {
    const databases = await Promise.all(Array.from({ length: count }, () => openDatabase(this.url)));
    try {
      return await work(databases);
    } finally {
      await Promise.all(databases.map((database) => database.onApplicationShutdown()));
    }
  }

  /** Runs SQL in a transaction of somebody else's, which stays open until the caller ends it. */
  async hold(sql: string, parameters?: unknown[]): Promise<() => Promise<void>> {
    const session = await this.sql.connect();
    await session.query('BEGIN');
    await session.query(sql, parameters);
    return async () => {
      await session.query('COMMIT');
      session.release();
    };
  }

  /** How many offsets and events are not marked as announced. */
  async unmarked(): Promise<number> {
    const offsets = await this.rows('SELECT id FROM offsets WHERE announced_at IS NULL');
    return offsets.length + (await this.rows('SELECT event_id FROM outbox WHERE published_at IS NULL')).length;
  }

  /** Records assets as if the topic had brought them. */
  async recordAssets(assets: readonly (Asset | { readonly id: string; readonly withdrawn: true })[]): Promise<void> {
    const messages = assets.map((asset) => this.message(asset.id, 'withdrawn' in asset ? null : asset));
    await recordSupply(this.database, READING, { topic: 'asset.published', partition: 0, messages });
  }

  /** Records requests of so many kilograms as if the topic had brought them; gives their ids. */
  async queue(...kilograms: number[]): Promise<string[]> {
    const requests = kilograms.map((kgCO2e) => request({ kgCO2e }));
    await this.record(requests);
    return requests.map(({ id }) => id);
  }

  /** Records one request as if the topic had brought it; gives its id. */
  async queueOne(body: OffsetRequest, more: Partial<OffsetRequestedV1> = {}): Promise<string> {
    const one = request(body, more);
    await this.record([one]);
    return one.id;
  }

  /** Records these requests as if the topic had brought them, in one batch. */
  async record(requests: readonly OffsetRequestedV1[]): Promise<void> {
    await this.recordOffsets.run(this.requests(...requests));
  }

  /** A batch of requests, each appended by the broker when the gateway created it. */
  requests(...requests: readonly OffsetRequestedV1[]): Batch<RequestedOffset> {
    const messages = requests.map((one) => this.message(one.id, requested(one), new Date(one.createdAt)));
    return { topic: 'offset.requested', partition: 0, messages };
  }

  batch<T extends { readonly id: string }>(...values: T[]): Batch<T> {
    const messages = values.map((value) => this.message<T>(value.id, value));
    return { topic: 'offset.requested', partition: 0, messages };
  }

  /** A message at the next position. */
  message<T>(key: string, value: T | null, appendedAt?: Date): Message<T> {
    this.position += 1n;
    return received(this.position, key, value, appendedAt);
  }

  /** Allocates everything that is queued, and retires it. */
  async completeQueued(): Promise<void> {
    for (let claim = await this.reserveCredits.run(); claim; claim = await this.reserveCredits.run()) {
      await this.retireOffsets.run(claim);
    }
  }

  /** Makes an estimate that is valid for a day from now, unless the caller says otherwise; gives its id. */
  async estimate(kgCO2e: number, more: Partial<EstimateRequest> & { account?: string } = {}): Promise<string> {
    const { account = 'default', ...rest } = more;
    const createdAt = rest.createdAt ?? new Date();
    const expiresAt = new Date(createdAt.getTime() + DAY_MS);
    const body = { id: ids.mint('est', account), kgCO2e, createdAt, expiresAt, ...rest };
    return (await this.makeEstimate.run(account, body)).id;
  }

  /** The state of an offset, or the code of its failure. */
  async outcome(id: string): Promise<string | undefined> {
    const sql = 'SELECT coalesce(failure_code, status) AS outcome FROM offsets WHERE id = $1';
    return (await this.rows<{ outcome: string }>(sql, [id]))[0]?.outcome;
  }

  /** How many sessions wait for somebody else's lock. */
  async blocked(): Promise<number | undefined> {
    const [row] = await this.rows<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.n;
  }

  async close(): Promise<void> {
    await this.database.onApplicationShutdown();
    await this.sql.end();
    await this.drop();
  }
}

/** How long a statement may take, and how long of that it may wait for a lock, in ms. */
export interface Waits {
  readonly statementMs?: number;
  readonly lockMs?: number;
}

/** One more process's connections, which wait for as long as a busy machine takes unless the caller says otherwise. */
export async function openDatabase(url: string, { statementMs = 60_000, lockMs = 60_000 }: Waits = {}) {
  const use = { url, applicationName: 'test', poolSize: 6, statementMs, onIdleError: () => {} };
  const { extra, ...options } = dataSourceOptions(use);
  const waits = { lock_timeout: lockMs, idle_in_transaction_session_timeout: 60_000 };
  const database = new Database(
    new DataSource({ ...options, connectTimeoutMS: 60_000, extra: { ...extra, ...waits } }),
  );
  database.onApplicationBootstrap();
  await database.ready;
  await verifyAgain(database);
  return database;
}

/** Has a process take the database as verified, as it is now: there is no Kafka to compare it with. */
export async function verifyAgain(database: Database): Promise<void> {
  database.fence.hold(await readDatabaseState(database.query));
}

/** Has a process take another server than the one that answers as verified. */
export function verifyAnotherServer(database: Database): void {
  database.fence.hold({ server: '1.5', epoch: '1' });
}
