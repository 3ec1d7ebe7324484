import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An event that is a fact already and is still to be announced, or was lately. */
@Entity('outbox')
@Index('outbox_unsent', ['createdAt', 'eventId'], { where: 'published_at IS NULL' })
export class OutboxEntity {
  /** Offset id + type, so every announcement of the same fact bears the same id. */
  @PrimaryColumn({ type: 'text', name: 'event_id', collation: 'C', primaryKeyConstraintName: 'outbox_pkey' })
  eventId!: string;

  /** Which part of the table it is in, all of which is emptied at once when it is old enough. */
  @PrimaryColumn({ type: 'smallint', default: () => 'current_outbox_slot()', primaryKeyConstraintName: 'outbox_pkey' })
  slot!: number;

  @Column({ type: 'text', name: 'offset_id', collation: 'C' })
  offsetId!: string;

  @Column('text')
  type!: string;

  @Column('json')
  payload!: unknown;

  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'published_at', precision: 3, nullable: true })
  publishedAt!: Date | null;

  @Column({ type: 'uuid', name: 'lease_token', nullable: true })
  leaseToken!: string | null;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;
}
