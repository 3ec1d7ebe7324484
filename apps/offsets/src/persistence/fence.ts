import { TransientError } from '@carbon/http';
import type { Statement } from './transaction.js';

/** What a process has verified: when the PostgreSQL server started, and the epoch of the database. */
export interface Fence {
  readonly server: string;
  readonly epoch: string;
}

/** SQL: when the server started, as text that does not depend on the session's time zone. */
export const SERVER = 'extract(epoch FROM pg_postmaster_start_time())::text';

/** The database is not the one that this process verified. The process decides nothing until it has verified again. */
export class FenceLost extends TransientError {
  override readonly name = 'FenceLost';
  constructor(reason: string) {
    super('service_unavailable', `${reason} Try again shortly.`);
  }
}

/**
 * Returns SQL that is true while the fence holds. Its parameters, `$first` and the next, are {@link FenceHolder.parameters}. Each
 * statement that decides an outcome or stores a position must contain it, and call {@link FenceHolder.lose} where it was false.
 */
export function fenceHolds(first: number): string {
  return `EXISTS (SELECT FROM database_state
    WHERE single AND NOT recovering AND epoch = $${first + 1}::bigint AND ${SERVER} = $${first}::text)`;
}

/** The row of `database_state`. */
export interface DatabaseState extends Fence {
  readonly recovering: boolean;
}

/** Reads the state of the database that responds now. */
export async function readDatabaseState(query: Statement): Promise<DatabaseState> {
  const [state] = await query<DatabaseState>(
    `SELECT ${SERVER} AS server, epoch::text, recovering FROM database_state WHERE single`,
  );
  if (state === undefined) throw new Error('The row of database_state is missing; the migrations insert it.');
  return state;
}

/**
 * Stores since when this server is the verified one. A new server may have lost calls to an external registry even where it holds
 * every published outcome.
 */
export async function storeServer(query: Statement, { server }: Fence): Promise<void> {
  await query(
    'UPDATE database_state SET server = $1, server_since = now() WHERE single AND server IS DISTINCT FROM $1',
    [server],
  );
}

/** Holds the fence of this process, from a start check that passed until a statement meets another database. */
export class FenceHolder {
  private held: Fence | undefined;

  /** Whether this process has verified the database and met no other one since. */
  get isHeld(): boolean {
    return this.held !== undefined;
  }

  /** Parameters of {@link fenceHolds}. @throws FenceLost where none is held */
  get parameters(): readonly [server: string, epoch: string] {
    const { server, epoch } = this.required();
    return [server, epoch];
  }

  /** @throws FenceLost where none is held */
  required(): Fence {
    if (this.held === undefined) throw new FenceLost('The database is being compared with the published outcomes.');
    return this.held;
  }

  /** Holds the fence of a verification. Fences are compared by identity: work that began under another one is stale. */
  hold(fence: Fence): void {
    this.held = fence;
  }

  /** A statement met another database than `fence`: releases the fence unless a later one is held. Returns the error to throw. */
  lose(fence = this.held): FenceLost {
    if (fence === this.held) this.release();
    return new FenceLost('PostgreSQL was restarted, replaced or recovered.');
  }

  /** Releases the fence, so that the database is verified again. */
  release(): void {
    this.held = undefined;
  }
}

/**
 * Remembers under which fence the messages of each partition are handled, because another database may lack what was
 * recorded before.
 */
export class PartitionFences {
  private readonly fences = new Map<number, Fence>();

  constructor(private readonly holder: FenceHolder) {}

  /** Must be called before messages of a partition are handled. @throws FenceLost */
  begin(partition: number): void {
    if (!this.fences.has(partition)) this.fences.set(partition, this.holder.required());
  }

  /** Whether the fence is the same since `begin`, or since the last call. @throws FenceLost */
  isSame(partition: number): boolean {
    const fence = this.holder.required();
    const before = this.fences.get(partition) ?? fence;
    this.fences.set(partition, fence);
    return before === fence;
  }
}
