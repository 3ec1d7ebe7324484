import { CreateOffsets1795219200001 } from './1795219200001-create-offsets.js';
import { CreateSupply1795219200002 } from './1795219200002-create-supply.js';
import { CreateLedger1795219200003 } from './1795219200003-create-ledger.js';
import { CreateOutbox1795219200004 } from './1795219200004-create-outbox.js';
import { GuardMoves1795219200005 } from './1795219200005-guard-moves.js';
import { CreateEstimates1795219200006 } from './1795219200006-create-estimates.js';
import { ExternalRegistry1795219200007 } from './1795219200007-external-registry.js';
import { ListIndexes1795219200008 } from './1795219200008-list-indexes.js';
import { RoomForMoves1795219200009 } from './1795219200009-room-for-moves.js';
import { DueIndexes1795219200010 } from './1795219200010-due-indexes.js';
import { MovesAtOnce1795219200011 } from './1795219200011-moves-at-once.js';
import { OutboxSlots1795219200013 } from './1795219200013-outbox-slots.js';
import { ExhaustedSupply1795219200014 } from './1795219200014-exhausted-supply.js';
import { VersionsFrom1795219200015 } from './1795219200015-versions-from.js';
import { DatabaseState1795219200016 } from './1795219200016-database-state.js';
import { RequestPositions1795219200017 } from './1795219200017-request-positions.js';
import { CreateLedgerGaps1795219200019 } from './1795219200019-create-ledger-gaps.js';
import { AuditedAt1795219200020 } from './1795219200020-audited-at.js';
import { SupplyVintages1795219200021 } from './1795219200021-supply-vintages.js';

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
  AuditedAt1795219200020,
  SupplyVintages1795219200021,
];
