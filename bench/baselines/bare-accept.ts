import { randomUUID } from 'node:crypto';
import { createKafka } from '@carbon/messaging';
import fastify from 'fastify';
import { type Message, Partitioners } from 'kafkajs';

/**
 * `POST /v1/offsets` with a minimal server: Fastify, a JSON schema, and a kafkajs producer whose next batch is sent
 * when the previous one is confirmed. kafkajs is patched as in the gateway, so that both encode records alike. No keys, limits,
 * logs, traces, verifiable ids or problem documents. Called as `bare-accept BROKERS TOPIC PORT`.
 */
const [brokers = '', topic = '', port = ''] = process.argv.slice(2);

/** Sends in flight, as in the gateway. With 1 and 2 the throughput of this program differs less than between rounds. */
const IN_FLIGHT = 3;
const MESSAGES = 500;

const { client } = createKafka({ brokers: brokers.split(','), clientId: 'bare-accept' });
const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
await producer.connect();

interface Waiting {
  readonly message: Message;
  readonly confirm: () => void;
  readonly refuse: (error: unknown) => void;
}

let line: Waiting[] = [];
let underWay = 0;
let scheduled = false;

function confirmed(message: Message): Promise<void> {
  return new Promise((confirm, refuse) => {
    line.push({ message, confirm, refuse });
    schedule();
  });
}

function schedule(): void {
  if (scheduled || line.length === 0 || underWay >= IN_FLIGHT) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    void send(line.slice(0, MESSAGES));
    line = line.slice(MESSAGES);
    schedule();
  });
}

async function send(batch: readonly Waiting[]): Promise<void> {
  underWay += 1;
  try {
    await producer.send({ topic, acks: -1, messages: batch.map(({ message }) => message) });
    for (const { confirm } of batch) confirm();
  } catch (error) {
    for (const { refuse } of batch) refuse(error);
  }
  underWay -= 1;
  schedule();
}

const body = {
  type: 'object',
  additionalProperties: false,
  required: ['kgCO2e'],
  properties: {
    kgCO2e: { type: 'number', exclusiveMinimum: 0, maximum: 1e12 },
    estimateId: { type: 'string', minLength: 1, maxLength: 256 },
    customerRef: { type: 'string', minLength: 1, maxLength: 256 },
  },
} as const;
const answer = { 202: { type: 'object', properties: { message: { type: 'string' } } } } as const;

const app = fastify();
app.post<{ Body: { kgCO2e: number } }>(
  '/v1/offsets',
  { schema: { body, response: answer } },
  async (request, reply) => {
    const id = `off_${randomUUID()}`;
    const createdAt = new Date().toISOString();
    const headers = {
      ce_specversion: '1.0',
      ce_id: id,
      ce_source: '/gateway',
      ce_type: 'offset.requested.v1',
      ce_time: createdAt,
      ce_subject: id,
      'content-type': 'application/json',
    };
    await confirmed({
      key: id,
      value: JSON.stringify({ id, account: 'default', ...request.body, createdAt }),
      headers,
    });
    reply.code(202);
    return { message: `Offset event with ID: ${id} queued for processing.` };
  },
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('listening');
process.on('disconnect', () => process.exit());
