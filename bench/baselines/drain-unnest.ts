import { hash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type EachBatchPayload, Kafka, Partitioners } from 'kafkajs';
import pg from 'pg';

/**
 * Writes requests from their topic into the tables as if they were already decided: each fetched batch of a partition
 * in one transaction, with a statement for each table. It validates, allocates, chains and publishes nothing, and a
 * duplicate request would stop it. With the topic OUTCOMES it also publishes an event for each offset, and marks event and
 * offset in one statement, while the next batch is written. Called as `drain-unnest BROKERS TOPIC DATABASE_URL COUNT
 * [OUTCOMES]`; it ends when COUNT offsets are written and its input has ended.
 */
const [brokers = '', topic = '', connectionString = '', count = '', outcomes = ''] = process.argv.slice(2);

/** Not tuned. */
const BATCH_SIZE = 2;
const MESSAGES = 1_000;
const ASSET = 'pool_baseline';
const PRICE = 2_000_000;

interface Request {
  readonly id: string;
  readonly account: string;
  readonly kgCO2e: number;
  readonly grams: string;
  readonly fingerprint: string;
  readonly customerRef?: string;
  readonly createdAt: string;
}

const OFFSETS = `
  INSERT INTO offsets (id, account, status, kg_co2e, grams, fingerprint, customer_ref, traceparent, cost_micros, created_at,
    updated_at, processing_at, completed_at)
  SELECT id, account, 'completed', kg, grams, fingerprint, ref, trace, grams * ${PRICE / 1_000_000}, at, now(), now(), now()
  FROM unnest($1::text[], $2::text[], $3::double precision[], $4::bigint[], $5::text[], $6::text[], $7::text[],
    $8::timestamptz[]) AS one (id, account, kg, grams, fingerprint, ref, trace, at)`;
const LEDGER = `
  INSERT INTO ledger (asset_id, sequence, offset_id, grams, price_micros, at, hash)
  SELECT '${ASSET}', sequence, id, grams, ${PRICE}, now(), hash
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[]) AS one (sequence, id, grams, hash)`;
const OUTBOX = `
  INSERT INTO outbox (event_id, offset_id, type, payload, traceparent)
  SELECT id || '.offset.completed.v1', id, 'offset.completed.v1', payload, trace
  FROM unnest($1::text[], $2::json[], $3::text[]) AS one (id, payload, trace)`;

const MARK = `
  WITH published AS (
    UPDATE outbox SET published_at = now() WHERE event_id = ANY ($1) AND slot = current_outbox_slot() RETURNING offset_id
  )
  UPDATE offsets SET announced_at = now() FROM published WHERE offsets.id = published.offset_id`;

/** Without these, a plan for the empty tables would scan them. */
const options = '-c enable_seqscan=off -c enable_sort=off';
const pool = new pg.Pool({ connectionString, options, max: 2 * BATCH_SIZE });
await pool.query(
  `INSERT INTO supply (asset_id, type, active, price_micros, published_issued, issued, version, brought_in)
   VALUES ($1, 'POOL', true, $2, 1e15, 1e15, 1, 1)`,
  [ASSET, PRICE],
);
let sequence = 0;
let written = 0;

/** Returns the events as messages. */
async function write(messages: EachBatchPayload['batch']['messages']) {
  const at = new Date().toISOString();
  const rows = messages.map(({ value, headers }) => {
    const request: Request = JSON.parse(value?.toString() ?? '');
    sequence += 1;
    return { request, trace: headers?.traceparent?.toString(), sequence, hash: hash('sha256', request.id, 'buffer') };
  });
  const of = <T>(take: (row: (typeof rows)[number]) => T) => rows.map(take);
  const ids = of(({ request }) => request.id);
  const grams = of(({ request }) => request.grams);
  const traces = of(({ trace }) => trace);
  const payloads = of(({ request: { fingerprint: _, grams: all, ...rest }, sequence: place, hash: digest }) => {
    const cost = String(BigInt(all) * BigInt(PRICE / 1_000_000));
    const line = { asset: ASSET, grams: all, priceMicros: String(PRICE), costMicros: cost };
    const retirements = [{ ...line, sequence: String(place), hash: digest.toString('hex') }];
    return JSON.stringify({ ...rest, grams: all, costMicros: cost, currency: 'USD', retirements, completedAt: at });
  });
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(OFFSETS, [
    ids,
    of(({ request }) => request.account),
    of(({ request }) => request.kgCO2e),
    grams,
    of(({ request }) => request.fingerprint),
    of(({ request }) => request.customerRef),
    traces,
    of(({ request }) => request.createdAt),
  ]);
  await client.query(LEDGER, [of((row) => row.sequence), ids, grams, of((row) => row.hash)]);
  await client.query(OUTBOX, [ids, payloads, traces]);
  const sum = rows.reduce((all, { request }) => all + BigInt(request.grams), 0n);
  // Last, because it is locked until the commit.
  await client.query('UPDATE supply SET retired = retired + $2 WHERE asset_id = $1', [ASSET, sum]);
  await client.query('COMMIT');
  client.release();
  return rows.map(({ request: { id }, trace = '' }, index) => ({
    key: id,
    value: payloads[index] ?? null,
    headers: {
      ...{
        ce_specversion: '1.0',
        ce_id: `${id}.offset.completed.v1`,
        ce_source: '/offsets',
        ce_subject: id,
        ce_time: at,
      },
      ...{ ce_type: 'offset.completed.v1', 'content-type': 'application/json', traceparent: trace },
    },
  }));
}

async function announce(messages: Awaited<ReturnType<typeof write>>): Promise<void> {
  await producer.send({ topic: outcomes, messages, acks: -1 });
  await pool.query(MARK, [messages.map(({ headers }) => headers.ce_id)]);
}

const kafka = new Kafka({
  brokers: brokers.split(','),
  socketFactory: ({ host, port, onConnect }) => connect({ host, port, noDelay: true }, onConnect),
});
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
const consumer = kafka.consumer({ groupId: `${topic}.unnest` });
const done = Promise.withResolvers<void>();
if (outcomes !== '') await producer.connect();
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  partitionsConsumedConcurrently: BATCH_SIZE,
  eachBatch: async ({ batch: { messages }, heartbeat, resolveOffset }) => {
    let announced = Promise.resolve();
    for (let start = 0; start < messages.length; start += MESSAGES) {
      const some = messages.slice(start, start + MESSAGES);
      const events = await write(some);
      await announced;
      if (outcomes !== '') announced = announce(events);
      resolveOffset(some.at(-1)?.offset ?? '');
      written += some.length;
      await heartbeat();
    }
    await announced;
    if (written >= Number(count)) done.resolve();
  },
});
await done.promise;
// Until then its sessions are there to be measured.
await once(process.stdin.resume(), 'end');
await consumer.disconnect();
await producer.disconnect();
await pool.end();
