import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { PricedLine } from '../domain/line.js';

/** A line of an estimate; whole numbers as decimal text. */
export interface StoredLine {
  readonly asset: string;
  readonly grams: string;
  readonly priceMicros: string;
}

/** A price that is held for one offset until it expires. */
@Entity('estimates')
@Index('estimates_by_expiry', ['expiresAt', 'id'], { where: 'NOT kept' })
export class EstimateEntity {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'estimates_pkey' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  account!: string;

  @Column({ type: 'double precision', name: 'kg_co2e' })
  kgCO2e!: number;

  @Column('bigint')
  grams!: string;

  /** The one asset that the client named. */
  @Column({ type: 'text', name: 'asset_id', collation: 'C', nullable: true })
  assetId!: string | null;

  @Column('json')
  lines!: StoredLine[];

  /** Lets a batch choose estimates before it reads their lines. */
  @Column({ type: 'integer', name: 'line_count' })
  lineCount!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;

  /** Whether an offset names the estimate, so that it is never pruned. Set when it is old enough to be pruned. */
  @Column({ type: 'boolean', default: false })
  kept!: boolean;
}

/** Returns lines as stored. */
export function storedLines(lines: readonly PricedLine[]): StoredLine[] {
  return lines.map(({ asset, grams, priceMicros }) => ({
    asset,
    grams: String(grams),
    priceMicros: String(priceMicros),
  }));
}

/** Returns stored lines as numbers. */
export function pricedLines(lines: readonly StoredLine[]): PricedLine[] {
  return lines.map(({ asset, grams, priceMicros }) => ({
    asset,
    grams: BigInt(grams),
    priceMicros: BigInt(priceMicros),
  }));
}
