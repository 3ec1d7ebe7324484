import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { EstimateEntity } from './estimate.entity.js';
import { LedgerEntryEntity } from './ledger-entry.entity.js';
import { LedgerGapEntity } from './ledger-gap.entity.js';
import { CreateOffsets1795219200001 } from './migrations/1795219200001-create-offsets.js';
import { CreateSupply1795219200002 } from './migrations/1795219200002-create-supply.js';
import { CreateLedger1795219200003 } from './migrations/1795219200003-create-ledger.js';
import { CreateOutbox1795219200004 } from './migrations/1795219200004-create-outbox.js';
import { GuardMoves1795219200005 } from './migrations/1795219200005-guard-moves.js';
import { CreateEstimates1795219200006 } from './migrations/1795219200006-create-estimates.js';
import { ExternalRegistry1795219200007 } from './migrations/1795219200007-external-registry.js';
import { ListIndexes1795219200008 } from './migrations/1795219200008-list-indexes.js';
import { RoomForMoves1795219200009 } from './migrations/1795219200009-room-for-moves.js';
import { DueIndexes1795219200010 } from './migrations/1795219200010-due-indexes.js';
import { MovesAtOnce1795219200011 } from './migrations/1795219200011-moves-at-once.js';
import { OutboxSlots1795219200013 } from './migrations/1795219200013-outbox-slots.js';
import { ExhaustedSupply1795219200014 } from './migrations/1795219200014-exhausted-supply.js';
import { VersionsFrom1795219200015 } from './migrations/1795219200015-versions-from.js';
import { DatabaseState1795219200016 } from './migrations/1795219200016-database-state.js';
import { RequestPositions1795219200017 } from './migrations/1795219200017-request-positions.js';
import { CreateLedgerGaps1795219200019 } from './migrations/1795219200019-create-ledger-gaps.js';
import { OffsetEntity } from './offset.entity.js';
import { OutboxEntity } from './outbox.entity.js';
import { ReservationEntity } from './reservation.entity.js';
import { type SessionKind, sessionSettings } from './session-settings.js';
import { SupplyEntity } from './supply.entity.js';

/** In the order in which they run. */
export const MIGRATIONS = [
  CreateOffsets1795219200001,
  CreateSupply1795219200002,
  CreateLedger1795219200003,
  CreateOutbox1795219200004,
  GuardMoves1795219200005,
  CreateEstimates1795219200006,
  ExternalRegistry1795219200007,
  ListIndexes1795219200008,
  RoomForMoves1795219200009,
  DueIndexes1795219200010,
  MovesAtOnce1795219200011,
  OutboxSlots1795219200013,
  ExhaustedSupply1795219200014,
  VersionsFrom1795219200015,
  DatabaseState1795219200016,
  RequestPositions1795219200017,
  CreateLedgerGaps1795219200019,
];

/** How a process uses the database. Times in milliseconds. */
export interface DatabaseUse {
  readonly url: string;
  /** Who it is, in pg_stat_activity. */
  readonly applicationName: string;
  readonly poolSize: number;
  /** The longest a single statement may take. */
  readonly statementMs: number;
  /** `direct` by default. */
  readonly session?: SessionKind;
  /** What to do about a connection that broke while idle; it leaves the pool by itself. */
  readonly onIdleError: (error: Error) => void;
}

/** Without these, pg waits for ever: for a connection, for a statement, for a lock, for a peer that is gone. */
const CONNECT_MS = 2_000;
/** Beyond a statement's own time-out, which the server keeps: only a server that is silent answers later. */
const SILENCE_MS = 1_000;
const KEEP_ALIVE_AFTER_MS = 10_000;

/** The options of the one data source. Nothing is ever synchronized, and migrations run as a step of their own. */
export function dataSourceOptions(use: DatabaseUse): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    url: use.url,
    applicationName: use.applicationName,
    poolSize: use.poolSize,
    connectTimeoutMS: CONNECT_MS,
    poolErrorHandler: use.onIdleError,
    extra: {
      ...sessionSettings(use.session ?? 'direct', use.statementMs),
      query_timeout: use.statementMs + SILENCE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      idleTimeoutMillis: 30_000,
    },
    entities: [
      OffsetEntity,
      SupplyEntity,
      ReservationEntity,
      LedgerEntryEntity,
      LedgerGapEntity,
      OutboxEntity,
      EstimateEntity,
    ],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsRun: false,
    synchronize: false,
    installExtensions: false,
    logging: false,
  };
}
