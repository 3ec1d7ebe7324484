import { fingerprint, gramsFromKg, Ids, type OffsetRequestedV1 } from '@carbon/contracts';
import { createKafka, eventMessage } from '@carbon/messaging';
import { type Message, Partitioners } from 'kafkajs';

/** Requests as the gateway publishes them. */
export interface Backlog {
  readonly count: number;
  /** The total weight of all of them. */
  readonly grams: bigint;
  readonly messages: readonly Message[];
}

const ACCOUNTS = 20;
const HEAVIEST_GRAMS = 5_000_000;
/** Neighbours differ, and every weight up to the maximum appears before one repeats. */
const STRIDE = 7_919;
const MESSAGES_A_REQUEST = 1_000;

/** Returns requests of several accounts, from a gram to five tonnes each. */
export function backlogOf(count: number): Backlog {
  const ids = new Ids({
    ids: ['a secret of this benchmark only: ids'],
    idempotency: ['and another one: for keys'],
  });
  let grams = 0n;
  const messages: Message[] = [];
  for (let n = 0; n < count; n += 1) {
    const request = requestOf(ids, n);
    grams += BigInt(request.grams);
    const { id, createdAt: time } = request;
    const facts = { id, source: '/gateway', subject: id, time, traceparent: traceOf(n) } as const;
    const { key, value, headers } = eventMessage('offset.requested.v1', request, facts);
    messages.push({ key, value, headers });
  }
  return { count, grams, messages };
}

function requestOf(ids: Ids, n: number): OffsetRequestedV1 {
  const account = `account-${n % ACCOUNTS}`;
  const now = Date.now();
  const request = { kgCO2e: ((n * STRIDE) % HEAVIEST_GRAMS) / 1000 + 0.001, customerRef: `order-${n}` };
  return {
    id: ids.generate('off', account, now),
    account,
    ...request,
    grams: String(gramsFromKg(request.kgCO2e)),
    createdAt: new Date(now).toISOString(),
    fingerprint: fingerprint(request),
  };
}

function traceOf(n: number): string {
  return `00-${String(n + 1).padStart(32, '0')}-00000000000000a1-01`;
}

/** Publishes them to the topic under a prefix; resolves when all are confirmed. */
export async function publishBacklog(brokers: string, topicPrefix: string, { messages }: Backlog): Promise<void> {
  const { client, names } = createKafka({ brokers: brokers.split(','), clientId: 'bench', topicPrefix });
  const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  try {
    for (let start = 0; start < messages.length; start += MESSAGES_A_REQUEST) {
      const some = messages.slice(start, start + MESSAGES_A_REQUEST);
      await producer.send({ topic: names.topic('offset.requested'), messages: some, acks: -1 });
    }
  } finally {
    await producer.disconnect();
  }
}
