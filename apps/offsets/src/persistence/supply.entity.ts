import type { AssetType } from '@carbon/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * What the library last said of an asset, and what became of its credits. `issued = greatest(published_issued, reserved +
 * retired)`: a library that later issues less than is gone already makes an overhang, never a fault.
 */
@Entity('supply')
@Index('supply_by_preference', { synchronize: false })
@Index('supply_available', { synchronize: false })
export class SupplyEntity {
  @PrimaryColumn({ type: 'text', name: 'asset_id', collation: 'C', primaryKeyConstraintName: 'supply_pkey' })
  assetId!: string;

  @Column('text')
  type!: AssetType;

  @Column('boolean')
  active!: boolean;

  @Column({ type: 'bigint', name: 'price_micros', nullable: true })
  priceMicros!: string | null;

  @Column({ type: 'double precision', nullable: true })
  rating!: number | null;

  @Column({ type: 'text', nullable: true })
  ticker!: string | null;

  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'bigint', name: 'published_issued', nullable: true })
  publishedIssued!: string | null;

  @Column('bigint')
  issued!: string;

  @Column({ type: 'bigint', default: 0 })
  reserved!: string;

  @Column({ type: 'bigint', default: 0 })
  retired!: string;

  /** Computed by the database: nothing of it is left. */
  @Column({ type: 'boolean', insert: false, update: false })
  exhausted!: boolean;

  /** Position of the message + 1; a lower one is refused. */
  @Column('bigint')
  version!: string;

  /** The number of the last reading of the topic that brought this asset. */
  @Column({ type: 'integer', name: 'brought_in' })
  broughtIn!: number;
}
