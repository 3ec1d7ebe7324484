import { Injectable } from '@nestjs/common';
import type { EntityTarget, FindOptionsWhere } from 'typeorm';
import type { z } from 'zod';
import { Database } from './database.js';
import { FenceLost, fenceHolds } from './fence.js';

/** SQL with the condition that a row belongs to the account in the first parameter. The compiler checks only that it is there. */
export type OwnSql = `${string}account = $1${string}`;

/** SQL that is composed at run time, and its parameters. */
export interface ComposedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** The ORDER BY and LIMIT clauses, over columns that `sql` selects. */
  readonly order: string;
}

/**
 * SQL with the join to pairs of account and id, which are in the first two parameters. The compiler checks only that it is there.
 */
export type OwnPairsSql =
  `${string}unnest($1::text[], $2::text[]) AS own (account, id)${string}USING (account, id)${string}`;

/**
 * For FROM: the offset with the id in `$2`. OFFSET 0 keeps the account out of the index condition: while the statistics are those of
 * an empty table, the planner would otherwise read all offsets of the account from another index.
 */
export const OFFSET_BY_ID = '(SELECT * FROM offsets WHERE id = $2 OFFSET 0) AS offsets';

/** For FROM, after the pairs of {@link OwnPairsSql}: the offset of each, by its id alone as in {@link OFFSET_BY_ID}. */
export const OFFSET_OF_PAIR =
  'JOIN LATERAL (SELECT * FROM offsets WHERE id = own.id OFFSET 0) AS offsets USING (account, id)';

/** A row that belongs to an account. */
export interface OwnedByAccount {
  readonly account: string;
}

/** An id and the account that it is read for. */
export interface OwnedPair extends OwnedByAccount {
  readonly id: string;
}

/**
 * Reads rows on behalf of an account. Code that responds to clients has no other access to the tables, except to create estimates
 * (`npm run borders`).
 */
@Injectable()
export class OwnRows {
  constructor(private readonly database: Database) {}

  /**
   * Checks that this is the verified database. Call it before a response says that something is unknown or unfinished, which an
   * older database may claim.
   * @throws FenceLost unless this is the database that was compared with the published outcomes
   */
  async requireCurrentDatabase(): Promise<void> {
    const { fence } = this.database;
    const fenceRows = await this.database.query(`SELECT WHERE ${fenceHolds(1)}`, fence.parameters);
    if (fenceRows.length === 0) throw fence.lose();
  }

  /** Runs a statement for an account, `$1`; the other parameters follow. */
  query<Row extends object>(account: string, sql: OwnSql, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.database.prepared<Row>(sql, [account, ...parameters]);
  }

  /**
   * Runs a statement for several accounts. Each id is read for the account that it is paired with, so an id of another account
   * finds nothing. `schema` parses one row. Also returns whether this is the verified database, as
   * {@link requireCurrentDatabase} checks it, in the same snapshot.
   */
  async queryByPair<Row extends OwnedPair>(
    pairs: readonly OwnedPair[],
    schema: z.ZodType<Row>,
    sql: OwnPairsSql,
  ): Promise<{ readonly rows: Row[]; readonly isCurrent: boolean }> {
    const { fence } = this.database;
    const held = fence.isHeld ? fence.required() : undefined;
    // A pair that is named twice would find its rows twice.
    const unique = [...new Map(pairs.map((pair) => [`${pair.account} ${pair.id}`, pair])).values()];
    // If nothing is found, the join returns one row without an id.
    const read = await this.database.prepared<{ readonly id: string | null; readonly isCurrent: boolean }>(
      `SELECT found.*, ${fenceHolds(3)} AS "isCurrent" FROM (SELECT) AS one LEFT JOIN (${sql}) AS found ON true`,
      [unique.map(({ account }) => account), unique.map(({ id }) => id), held?.server, held?.epoch],
    );
    const isCurrent = read[0]?.isCurrent === true;
    if (held !== undefined && !isCurrent) fence.lose(held);
    return { rows: read.filter(({ id }) => id !== null).map((row) => schema.parse(row)), isCurrent };
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
   * Returns the rows of a composed statement. {@link OwnSql} cannot check such a statement, so this throws if a row
   * belongs to another account.
   * @param schema parses one row
   * @throws FenceLost while outcomes are recovered, because rows may still be missing
   */
  async list<Row extends OwnedByAccount>(
    account: string,
    schema: z.ZodType<Row>,
    { sql, parameters, order }: ComposedStatement,
  ): Promise<Row[]> {
    // One statement, so that the rows and the state of the database come from the same snapshot; one row without an account where
    // nothing is found.
    const read = await this.database.prepared<{ readonly account: string | null }>(
      `SELECT listed.* FROM database_state LEFT JOIN LATERAL (${sql}) AS listed ON true WHERE single AND NOT recovering ORDER BY ${order}`,
      parameters,
    );
    if (read.length === 0) throw new FenceLost('Offsets are being recovered.');
    const rows = read.filter((row) => row.account !== null).map((row) => schema.parse(row));
    return ownOnly(account, rows);
  }
}

function ownOnly<E extends OwnedByAccount>(account: string, found: E[]): E[] {
  if (found.every((row) => row.account === account)) return found;
  throw new Error('A statement for one account has read rows of another.');
}
