import type { OffsetStatus } from '@carbon/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An offset. The driver returns `bigint` and `numeric` as decimal text. */
@Entity('offsets')
@Index('offsets_by_account', ['account', 'createdAt', 'id'])
@Index('offsets_by_status', ['account', 'status', 'createdAt', 'id'])
@Index('offsets_by_customer_ref', ['account', 'customerRef', 'status', 'createdAt', 'id'], {
  where: 'customer_ref IS NOT NULL',
})
@Index('offsets_by_estimate', ['account', 'estimateId', 'status', 'createdAt', 'id'], {
  where: 'estimate_id IS NOT NULL',
})
@Index('offsets_by_estimate_and_customer_ref', ['account', 'estimateId', 'customerRef', 'status', 'createdAt', 'id'], {
  where: 'estimate_id IS NOT NULL AND customer_ref IS NOT NULL',
})
@Index('offsets_queued', ['createdAt', 'id'], { where: `status = 'queued'` })
@Index('offsets_held', ['leaseUntil', 'id'], { where: `status = 'processing'` })
@Index('offsets_estimate_once', ['estimateId'], {
  unique: true,
  where: `estimate_id IS NOT NULL AND status IN ('processing', 'completed')`,
})
export class OffsetEntity {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'offsets_pkey' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  account!: string;

  @Column('text')
  status!: OffsetStatus;

  @Column({ type: 'double precision', name: 'kg_co2e' })
  kgCO2e!: number;

  @Column('bigint')
  grams!: string;

  @Column('text')
  fingerprint!: string;

  @Column({ type: 'text', name: 'estimate_id', nullable: true })
  estimateId!: string | null;

  @Column({ type: 'text', name: 'customer_ref', nullable: true })
  customerRef!: string | null;

  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  /** Fixed when the prices are: from `processing` on. */
  @Column({ type: 'numeric', name: 'cost_micros', precision: 40, scale: 0, nullable: true })
  costMicros!: string | null;

  @Column({ type: 'text', name: 'failure_code', nullable: true })
  failureCode!: string | null;

  @Column({ type: 'text', name: 'failure_detail', nullable: true })
  failureDetail!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt!: Date;

  /** When it became `processing`; unknown in rows of older versions. */
  @Column({ type: 'timestamptz', name: 'processing_at', precision: 3, nullable: true })
  processingAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'failed_at', precision: 3, nullable: true })
  failedAt!: Date | null;

  /** When Kafka confirmed the outcome's event. The outbox is pruned, this is not. */
  @Column({ type: 'timestamptz', name: 'announced_at', precision: 3, nullable: true })
  announcedAt!: Date | null;

  @Column({ type: 'uuid', name: 'lease_token', nullable: true })
  leaseToken!: string | null;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  /** How often a worker claimed it to call the external registry. */
  @Column({ type: 'integer', name: 'registry_attempts', default: 0 })
  registryAttempts!: number;
}
