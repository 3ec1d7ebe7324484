import { Injectable } from '@nestjs/common';
import type { EntityTarget, FindOptionsWhere } from 'typeorm';
import { Database } from './database.js';
import { FenceLost, fenceHolds } from './fence.js';

/** SQL that asks for nothing but the rows of one account, its first parameter. Without these words it does not compile. */
export type OwnSql = `${string}account = $1${string}`;

/** A row that belongs to an account. */
export interface Owned {
  readonly account: string;
}

/**
 * What clients may read: the rows of the account that asks. The steps that answer clients have no other way to the tables
 * (a border of this repository), and none of these can be called without an account.
 */
@Injectable()
export class OwnRows {
  constructor(private readonly database: Database) {}

  /**
   * To be called before a client is told that something is unknown or unfinished, which on an older database may be wrong.
   * @throws FenceLost where this is not the database that was compared with the announced outcomes
   */
  async mustBeCurrent(): Promise<void> {
    const { fence } = this.database;
    const held = await this.database.query(`SELECT WHERE ${fenceHolds(1)}`, fence.parameters);
    if (held.length === 0) throw fence.lose();
  }

  /** @throws FenceLost while outcomes are recovered: what a client asks for may still be missing */
  async mustNotRecover(): Promise<void> {
    const rows = await this.database.query('SELECT FROM database_state WHERE single AND NOT recovering');
    if (rows.length === 0) throw new FenceLost('Offsets are recovered at the moment.');
  }

  /** The rows that a statement finds for an account, `$1`; the other parameters follow. */
  query<Row extends object>(account: string, sql: OwnSql, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.database.query<Row>(sql, [account, ...parameters]);
  }

  /** The one entity of an account under an id, if it has it. */
  async one<E extends Owned & { id: string }>(
    entity: EntityTarget<E>,
    account: string,
    id: string,
  ): Promise<E | undefined> {
    const where = { id, account } as FindOptionsWhere<E>;
    const found = await this.database.read((manager) => manager.findOneBy(entity, where));
    return found === null ? undefined : ownOnly(account, [found])[0];
  }

  /**
   * The entities that a statement finds whose conditions are too many for {@link OwnSql}: it selects whole rows, and one of
   * another account among them is a bug, so that nothing is given at all.
   */
  async entities<E extends Owned>(
    entity: new () => E,
    account: string,
    { sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] },
  ): Promise<E[]> {
    const found = await this.database.read(async (manager) => {
      const rows = await manager.query<Record<string, unknown>[]>(sql, [...parameters]);
      const { columns } = manager.getRepository(entity).metadata;
      const valuesOf = (row: Record<string, unknown>) =>
        Object.fromEntries(columns.map(({ propertyName, databaseName }) => [propertyName, row[databaseName]]));
      return rows.map((row) => Object.assign(new entity(), valuesOf(row)));
    });
    return ownOnly(account, found);
  }
}

function ownOnly<E extends Owned>(account: string, found: E[]): E[] {
  if (found.every((row) => row.account === account)) return found;
  throw new Error('A statement for one account has found the rows of another.');
}
