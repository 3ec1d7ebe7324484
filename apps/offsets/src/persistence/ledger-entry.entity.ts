import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** One retirement, for ever. Triggers refuse every change. */
@Entity('ledger')
@Unique('ledger_once', ['offsetId', 'assetId'])
export class LedgerEntryEntity {
  @PrimaryColumn({ type: 'text', name: 'asset_id', collation: 'C', primaryKeyConstraintName: 'ledger_pkey' })
  assetId!: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'ledger_pkey' })
  sequence!: string;

  @Column({ type: 'text', name: 'offset_id', collation: 'C' })
  offsetId!: string;

  @Column('bigint')
  grams!: string;

  @Column({ type: 'bigint', name: 'price_micros' })
  priceMicros!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at!: Date;

  @Column('bytea')
  hash!: Buffer;

  /** How an external registry knows this retirement. Not part of the hash. */
  @Column({ type: 'text', name: 'registry_reference', nullable: true })
  registryReference!: string | null;
}
