import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Grams held back for an offset that is being processed, at the price that was fixed for it. */
@Entity('reservations')
export class ReservationEntity {
  @PrimaryColumn({ type: 'text', name: 'offset_id', collation: 'C', primaryKeyConstraintName: 'reservations_pkey' })
  offsetId!: string;

  @PrimaryColumn({ type: 'text', name: 'asset_id', collation: 'C', primaryKeyConstraintName: 'reservations_pkey' })
  assetId!: string;

  @Column('bigint')
  grams!: string;

  @Column({ type: 'bigint', name: 'price_micros' })
  priceMicros!: string;
}
