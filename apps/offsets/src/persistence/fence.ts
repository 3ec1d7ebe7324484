import { TransientError } from '@carbon/http';

type Statement = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

/** What a process has verified: the start of the PostgreSQL server it verified, and the epoch of the database. */
export interface Fence {
  readonly server: string;
  readonly epoch: string;
}

/** The start of the server that answers, as text that does not depend on the session's time zone. */
export const SERVER = 'extract(epoch FROM pg_postmaster_start_time())::text';

/**
 * The database is not the one that this process verified, or it has verified none: it must decide nothing until it has
 * checked again. To clients and consumers an outage that passes.
 */
export class FenceLost extends TransientError {
  override readonly name = 'FenceLost';
  constructor(reason: string) {
    super('service_unavailable', `${reason} Try again shortly.`);
  }
}

/**
 * SQL that is true while the fence holds. Its parameters, `$first` and the next, are those of {@link FenceHolder.parameters}.
 * Every statement that decides an outcome or notes progress must carry it and call {@link FenceHolder.lose} where it was false.
 */
export function fenceHolds(first: number): string {
  return `EXISTS (SELECT FROM database_state
    WHERE single AND NOT recovering AND epoch = $${first + 1}::bigint AND ${SERVER} = $${first}::text)`;
}

/** What the database says about itself. */
export interface DatabaseState extends Fence {
  readonly recovering: boolean;
}

/** The state of the database that answers now. */
export async function readDatabaseState(query: Statement): Promise<DatabaseState> {
  const [state] = await query<DatabaseState>(
    `SELECT ${SERVER} AS server, epoch::text, recovering FROM database_state WHERE single`,
  );
  if (state === undefined) throw new Error('The row of database_state is missing; the migrations make it.');
  return state;
}

/**
 * Notes since when this server is the verified one. Another server than before may hold an older state although no announced
 * outcome shows it: what an external registry was asked until then may be forgotten.
 */
export async function noteServer(query: Statement, { server }: Fence): Promise<void> {
  await query(
    'UPDATE database_state SET server = $1, server_since = now() WHERE single AND server IS DISTINCT FROM $1',
    [server],
  );
}

/** The fence of this process: held from a start check that passed until a statement meets another database. */
export class FenceHolder {
  private held: Fence | undefined;
  private readonly listeners: (() => void)[] = [];

  /** Whether the database was verified and has not changed since, as far as this process knows. */
  get isHeld(): boolean {
    return this.held !== undefined;
  }

  /** The fence, as parameters of a statement with {@link fenceHolds}. @throws FenceLost */
  get parameters(): readonly [server: string, epoch: string] {
    const { server, epoch } = this.required();
    return [server, epoch];
  }

  /** @throws FenceLost where none is held */
  required(): Fence {
    if (this.held === undefined) {
      throw new FenceLost('The database is being compared with the outcomes that were announced.');
    }
    return this.held;
  }

  /** The database was verified. Each verification has a fence of its own, so that what was begun under another one is known. */
  hold(fence: Fence): void {
    this.held = fence;
  }

  /**
   * A statement found another database than `fence`. Nothing is decided from here on, unless a later one was verified already; gives
   * the error to throw.
   */
  lose(fence = this.held): FenceLost {
    if (fence === this.held) this.release();
    return new FenceLost('PostgreSQL was restarted, replaced or recovered.');
  }

  /** Lets the fence go, to be verified again. */
  release(): void {
    if (this.held === undefined) return;
    this.held = undefined;
    for (const listener of this.listeners) listener();
  }

  /** Calls back whenever a fence that was held is let go. */
  onLost(listener: () => void): void {
    this.listeners.push(listener);
  }
}
