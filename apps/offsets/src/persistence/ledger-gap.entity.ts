import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A range of sequences whose entries a restore undid before they were announced. Triggers refuse every change. */
@Entity('ledger_gaps')
export class LedgerGapEntity {
  @PrimaryColumn({ type: 'text', name: 'asset_id', collation: 'C', primaryKeyConstraintName: 'ledger_gaps_pkey' })
  assetId!: string;

  @Column({ type: 'bigint', name: 'first_sequence' })
  firstSequence!: string;

  @PrimaryColumn({ type: 'bigint', name: 'last_sequence', primaryKeyConstraintName: 'ledger_gaps_pkey' })
  lastSequence!: string;

  /** The hash that the entry behind the gap continues. */
  @Column({ type: 'bytea', name: 'last_hash' })
  lastHash!: Buffer;

  @Column({ type: 'timestamptz', name: 'recovered_at', precision: 3, default: () => 'now()' })
  recoveredAt!: Date;
}
