import { Injectable } from '@nestjs/common';
import type { EntityTarget, FindOptionsWhere } from 'typeorm';
import { Database } from './database.js';
import { FenceLost, fenceHolds } from './fence.js';

/** SQL that reads only the rows of one account, its first parameter. Other SQL does not compile. */
export type OwnSql = `${string}account = $1${string}`;

/** A row that belongs to an account. */
export interface OwnedByAccount {
  readonly account: string;
}

/** Reads rows on behalf of an account. Code that responds to clients has no other access to the tables (`npm run borders`). */
@Injectable()
export class OwnRows {
  constructor(private readonly database: Database) {}

  /**
   * Must be called before a client gets the response that something is unknown or unfinished, which an older database may claim.
   * @throws FenceLost unless this is the database that was compared with the published outcomes
   */
  async mustBeCurrent(): Promise<void> {
    const { fence } = this.database;
    const fenceRows = await this.database.query(`SELECT WHERE ${fenceHolds(1)}`, fence.parameters);
    if (fenceRows.length === 0) throw fence.lose();
  }

  /** @throws FenceLost while outcomes are recovered, because rows may still be missing */
  async mustNotRecover(): Promise<void> {
    const rows = await this.database.query('SELECT FROM database_state WHERE single AND NOT recovering');
    if (rows.length === 0) throw new FenceLost('Offsets are being recovered.');
  }

  /** Runs a statement for an account, `$1`; the other parameters follow. */
  query<Row extends object>(account: string, sql: OwnSql, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.database.query<Row>(sql, [account, ...parameters]);
  }

  /** Returns the account's entity with this id, or undefined. */
  async one<E extends OwnedByAccount & { id: string }>(
    entity: EntityTarget<E>,
    account: string,
    id: string,
  ): Promise<E | undefined> {
    const where = { id, account } as FindOptionsWhere<E>;
    const found = await this.database.read((manager) => manager.findOneBy(entity, where));
    return found === null ? undefined : ownOnly(account, [found])[0];
  }

  /**
   * Returns the entities of a composed statement, which {@link OwnSql} cannot check: it selects whole rows, and throws when a row of
   * another account is among them. SQL because each page must be one range of an index.
   */
  async entities<E extends OwnedByAccount>(
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

function ownOnly<E extends OwnedByAccount>(account: string, found: E[]): E[] {
  if (found.every((row) => row.account === account)) return found;
  throw new Error('A statement for one account has read rows of another.');
}
