import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Kafka } from 'kafkajs';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';

/**
 * The common way: a transaction for every request, with `save` for every row. It locks an asset, lowers its supply, and
 * saves the ledger entry, the offset and its event; it validates and publishes nothing. Called as `drain-typeorm
 * BROKERS TOPIC DATABASE_URL COUNT`; it ends after COUNT offsets.
 */
const [brokers = '', topic = '', url = '', count = ''] = process.argv.slice(2);

const ASSET = 'pool_baseline';
const PRICE = '2000000';

@Entity('supply')
class Supply {
  @PrimaryColumn({ name: 'asset_id', type: 'text' }) assetId!: string;
  @Column('text') type!: string;
  @Column('boolean') active!: boolean;
  @Column({ name: 'price_micros', type: 'bigint' }) priceMicros!: string;
  @Column({ name: 'published_issued', type: 'bigint' }) publishedIssued!: string;
  @Column('bigint') issued!: string;
  @Column('bigint') retired!: string;
  @Column('bigint') version!: string;
  @Column({ name: 'brought_in', type: 'integer' }) broughtIn!: number;
}

@Entity('offsets')
class Offset {
  @PrimaryColumn('text') id!: string;
  @Column('text') account!: string;
  @Column('text') status!: string;
  @Column({ name: 'kg_co2e', type: 'double precision' }) kgCO2e!: number;
  @Column('bigint') grams!: string;
  @Column('text') fingerprint!: string;
  @Column({ name: 'customer_ref', type: 'text', nullable: true }) customerRef?: string;
  @Column({ type: 'text', nullable: true }) traceparent?: string;
  @Column({ name: 'cost_micros', type: 'numeric' }) costMicros!: string;
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
  @Column({ name: 'processing_at', type: 'timestamptz' }) processingAt!: Date;
  @Column({ name: 'completed_at', type: 'timestamptz' }) completedAt!: Date;
}

@Entity('ledger')
class LedgerEntry {
  @PrimaryColumn({ name: 'asset_id', type: 'text' }) assetId!: string;
  @PrimaryColumn('bigint') sequence!: string;
  @Column({ name: 'offset_id', type: 'text' }) offsetId!: string;
  @Column('bigint') grams!: string;
  @Column({ name: 'price_micros', type: 'bigint' }) priceMicros!: string;
  @Column('timestamptz') at!: Date;
  @Column('bytea') hash!: Buffer;
}

@Entity('outbox')
class OutboxEvent {
  @PrimaryColumn({ name: 'event_id', type: 'text' }) eventId!: string;
  @Column({ name: 'offset_id', type: 'text' }) offsetId!: string;
  @Column('text') type!: string;
  @Column('json') payload!: object;
  @Column({ type: 'text', nullable: true }) traceparent?: string;
}

const dataSource = new DataSource({ type: 'postgres', url, entities: [Supply, Offset, LedgerEntry, OutboxEvent] });
await dataSource.initialize();
await dataSource.manager.save(Supply, {
  assetId: ASSET,
  type: 'POOL',
  active: true,
  priceMicros: PRICE,
  publishedIssued: '1000000000000000',
  issued: '1000000000000000',
  retired: '0',
  version: '1',
  broughtIn: 1,
});
let sequence = 0;

type Request = Pick<Offset, 'id' | 'account' | 'kgCO2e' | 'grams' | 'fingerprint' | 'customerRef'> & {
  createdAt: string;
};

async function retire(request: Request, traceparent: string | undefined): Promise<void> {
  const { id, grams } = request;
  const at = new Date();
  await dataSource.transaction(async (manager) => {
    const supply = await manager.findOneOrFail(Supply, {
      where: { assetId: ASSET },
      lock: { mode: 'pessimistic_write' },
    });
    supply.retired = String(BigInt(supply.retired) + BigInt(grams));
    await manager.save(supply);
    sequence += 1;
    const entry = { assetId: ASSET, sequence: String(sequence), offsetId: id, grams, priceMicros: supply.priceMicros };
    await manager.save(LedgerEntry, { ...entry, at, hash: randomBytes(32) });
    const costMicros = String((BigInt(grams) * BigInt(supply.priceMicros)) / 1_000_000n);
    const dates = { createdAt: new Date(request.createdAt), updatedAt: at, processingAt: at, completedAt: at };
    await manager.save(Offset, { ...request, ...dates, status: 'completed', costMicros, traceparent });
    const type = 'offset.completed.v1';
    const payload = { ...request, costMicros, currency: 'USD', retirements: [entry], completedAt: at };
    await manager.save(OutboxEvent, { eventId: `${id}.${type}`, offsetId: id, type, payload, traceparent });
  });
}

const kafka = new Kafka({
  brokers: brokers.split(','),
  socketFactory: ({ host, port, onConnect }) => connect({ host, port, noDelay: true }, onConnect),
});
const consumer = kafka.consumer({ groupId: `${topic}.typeorm` });
const done = Promise.withResolvers<void>();
let written = 0;
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message: { value, headers } }) => {
    await retire(JSON.parse(value?.toString() ?? ''), headers?.traceparent?.toString());
    written += 1;
    if (written === Number(count)) done.resolve();
  },
});
await done.promise;
await consumer.disconnect();
await dataSource.destroy();
