import type { Asset, OffsetRequest, OffsetRequestedV1 } from '@carbon/contracts';
import type { Message, SelfClockedProducer } from '@carbon/messaging';
import { Metrics } from '@carbon/observability';
import { freshDatabase } from '@carbon/testing';
import pg from 'pg';
import { DEFAULT_PREFERENCE, Preference } from '../domain/preference.js';
import { EstimateCreator, type EstimateRequest } from '../estimates/estimate-creator.js';
import { EstimateReader } from '../estimates/estimate-reader.js';
import { QueuedOffsets } from '../fulfillment/queued-offsets.js';
import { ReadinessGate } from '../fulfillment/readiness-gate.js';
import { AnswerRecorder } from '../fulfillment/record-answers.js';
import { CreditReserver } from '../fulfillment/reserve.js';
import { CreditRetirer } from '../fulfillment/retire.js';
import { SingleTransactionPath } from '../fulfillment/single-transaction.js';
import { WakeSignals } from '../fulfillment/wake-signal.js';
import { OffsetMetrics } from '../metrics/offset-metrics.js';
import { OutboxRelay, RelayQueue } from '../outbox/outbox-relay.js';
import type { Database } from '../persistence/database.js';
import { OutcomePositions } from '../persistence/outcome-positions.js';
import { OwnRows } from '../persistence/own-rows.js';
import { migrate } from '../persistence/run-migrations.js';
import { OffsetRecorder, type ReceivedRequest, receivedRequests } from '../receive/record-offsets.js';
import { type RequestedRow, requestedRow } from '../receive/requests.js';
import { BuiltInRegistry, type Registry } from '../registry/registry.js';
import { recordSupply } from '../supply/record-supply.js';
import { ids, received, request } from './events.js';
import { openDatabase, type Waits } from './open-database.js';
import { StoredRows } from './stored-rows.js';

/** A day in ms. */
export const DAY_MS = 24 * 3_600_000;
const REBUILD = { id: '00000000-0000-4000-8000-000000000001', number: 1 };

/** A preference, the default one unless its text is given. */
export function preference(text: string = DEFAULT_PREFERENCE): Preference {
  const read = Preference.read(text);
  if (!read) throw new Error(`${text} is not a valid preference.`);
  return read;
}

/** A migrated database for one test file, with the service's classes on it, and without Kafka. */
export class TestDatabase extends StoredRows {
  readonly signals = new WakeSignals();
  readonly recordOffsets: OffsetRecorder;
  readonly reserveCredits: CreditReserver;
  readonly retireOffsets: CreditRetirer;
  /** Reads the rows of one account, as clients see them. */
  readonly ownRows: OwnRows;
  readonly estimates: EstimateReader;
  readonly estimateCreator: EstimateCreator;
  readonly gate = new ReadinessGate();
  private position = -1n;

  private constructor(
    readonly url: string,
    sql: pg.Pool,
    readonly database: Database,
    private readonly drop: () => Promise<void>,
  ) {
    super(sql);
    this.recordOffsets = new OffsetRecorder(database, this.signals);
    this.reserveCredits = this.reserving();
    this.retireOffsets = this.retiring(new BuiltInRegistry());
    this.ownRows = new OwnRows(database);
    this.estimates = new EstimateReader(this.ownRows);
    this.estimateCreator = new EstimateCreator(database, this.gate, preference(), this.estimates);
    this.gate.open();
  }

  static async create(waits: Waits = {}): Promise<TestDatabase> {
    const { url, drop } = await freshDatabase({ name: 'offsets', migrate: async (each) => void (await migrate(each)) });
    const sql = new pg.Pool({ connectionString: url, max: 3 });
    sql.on('error', () => {});
    return new TestDatabase(url, sql, await openDatabase(url, waits), drop);
  }

  /** Returns the service that reserves credits by a preference. */
  reserving(by = preference()): CreditReserver {
    return new CreditReserver(this.queued(by), this.signals);
  }

  /** Returns the service that retires reserved credits, with a registry of the test. */
  retiring(registry: Registry): CreditRetirer {
    const { database, signals } = this;
    const recorder = new AnswerRecorder(database, signals);
    const settings = { REGISTRY_RETRY_MIN_MS: 20, REGISTRY_RETRY_MAX_MS: 200, REGISTRY_ALARM_ATTEMPTS: 3 };
    return new CreditRetirer(database, registry, recorder, signals, settings);
  }

  /** Returns the single-transaction path, with a relay queue, a registry and a readiness gate of the test. */
  path(queue?: RelayQueue, registry: Registry = new BuiltInRegistry(), gate = this.gate): SingleTransactionPath {
    const { database, signals } = this;
    return new SingleTransactionPath(database, gate, preference(), registry, this.queued(), signals, queue);
  }

  private queued(by = preference()): QueuedOffsets {
    return new QueuedOffsets(this.database, by, this.signals);
  }

  /** Returns a relay on this database; a second `Database` makes it that of another process. */
  relay(publisher: SelfClockedProducer, queue = new RelayQueue(), database = this.database): OutboxRelay {
    const metrics = new OffsetMetrics(new Metrics('offsets'));
    return new OutboxRelay(database, publisher, metrics, queue, new OutcomePositions());
  }

  /** Returns the classes of one more process on the same database. */
  withDatabase(database: Database): TestDatabase {
    return new TestDatabase(this.url, this.sql, database, this.drop);
  }

  /** Runs work on the connections of this many more processes, and closes them. */
  async withOthers<T>(count: number, work: (databases: Database[]) => Promise<T>): Promise<T> {
    const databases = await Promise.all(Array.from({ length: count }, () => openDatabase(this.url)));
    try {
      return await work(databases);
    } finally {
      await Promise.all(databases.map((database) => database.onApplicationShutdown()));
    }
  }

  /** Runs SQL in another transaction, which stays open until the caller ends it. */
  async hold(sql: string, parameters?: unknown[]): Promise<() => Promise<void>> {
    const session = await this.sql.connect();
    await session.query('BEGIN');
    await session.query(sql, parameters);
    return async () => {
      await session.query('COMMIT');
      session.release();
    };
  }

  /** Counts the offsets and events that are not marked published. */
  async unmarked(): Promise<number> {
    const offsets = await this.rows('SELECT id FROM offsets WHERE announced_at IS NULL');
    return offsets.length + (await this.rows('SELECT event_id FROM outbox WHERE published_at IS NULL')).length;
  }

  /** Records assets as if they had arrived from the topic. */
  async recordAssets(assets: readonly (Asset | { readonly id: string; readonly withdrawn: true })[]): Promise<void> {
    const messages = assets.map((asset) => this.message(asset.id, 'withdrawn' in asset ? null : asset));
    await recordSupply(this.database, REBUILD, { topic: 'asset.published', partition: 0, messages });
  }

  /** Records requests of these weights as if they had arrived from the topic; returns their ids. */
  async queue(...kilograms: number[]): Promise<string[]> {
    const requests = kilograms.map((kgCO2e) => request({ kgCO2e }));
    await this.record(requests);
    return requests.map(({ id }) => id);
  }

  /** Records one request as if it had arrived from the topic; returns its id. */
  async queueOne(body: OffsetRequest, more: Partial<OffsetRequestedV1> = {}): Promise<string> {
    const one = request(body, more);
    await this.record([one]);
    return one.id;
  }

  /** Records these requests as if they had arrived from the topic, in one batch. */
  async record(requests: readonly OffsetRequestedV1[]): Promise<void> {
    await this.recordOffsets.run(this.arrivals(...requests));
  }

  /** Returns requests as messages that the broker appended when the gateway created them. */
  arrivals(...requests: readonly OffsetRequestedV1[]): ReceivedRequest[] {
    return receivedRequests(requests.map((one) => this.message(one.id, requestedRow(one), new Date(one.createdAt))));
  }

  /** Returns rows of requests that the broker appended just now. */
  arrivalsOf(...rows: readonly RequestedRow[]): ReceivedRequest[] {
    return receivedRequests(rows.map((row) => this.message(row.id, row)));
  }

  /** Returns a message at the next position. */
  message<T>(key: string, value: T | null, appendedAt?: Date): Message<T> {
    this.position += 1n;
    return received(this.position, key, value, appendedAt);
  }

  /** Reserves credits for everything that is queued, and retires everything that is due. */
  async completeQueued(): Promise<void> {
    while (await this.reserveCredits.run());
    await this.retireDue();
  }

  /** Retires everything that is due. */
  async retireDue(retirer = this.retireOffsets): Promise<void> {
    const due = `SELECT FROM offsets WHERE status = 'processing' AND lease_until < now()`;
    while ((await this.rows(due)).length > 0) {
      await retirer.run();
      await retirer.idle();
    }
  }

  /** Creates an estimate that is valid for a day from now, unless the caller sets other members; returns its id. */
  async estimate(kgCO2e: number, more: Partial<EstimateRequest> & { account?: string } = {}): Promise<string> {
    const { account = 'default', ...rest } = more;
    const createdAt = rest.createdAt ?? new Date();
    const expiresAt = new Date(createdAt.getTime() + DAY_MS);
    const body = { id: ids.generate('est', account), kgCO2e, createdAt, expiresAt, ...rest };
    return (await this.estimateCreator.create(account, body)).id;
  }

  /** Returns the state of an offset, or the code of its failure. */
  async outcome(id: string): Promise<string | undefined> {
    const sql = 'SELECT coalesce(failure_code, status) AS outcome FROM offsets WHERE id = $1';
    return (await this.rows<{ outcome: string }>(sql, [id]))[0]?.outcome;
  }

  /** Counts the sessions that wait for a lock of another session. */
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
