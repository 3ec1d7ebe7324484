import type { KafkaMessage } from 'kafkajs';
import type { Received } from '../pipeline/received.js';
import type { Run } from '../pipeline/run.js';

/** A message as kafkajs gives it. */
export function rawMessage(offset: number, more: Partial<Omit<KafkaMessage, 'size'>> = {}): KafkaMessage {
  return {
    key: Buffer.from(`key-${offset}`),
    value: Buffer.from(`{"n":${offset}}`),
    headers: { ce_type: Buffer.from('offset.requested.v1') },
    timestamp: '1767225600000',
    attributes: 0,
    offset: String(offset),
    ...more,
  } as KafkaMessage;
}

/** The same, decoded. */
export function received(position: number): Received {
  const raw = rawMessage(position);
  return {
    key: `key-${position}`,
    value: { n: position },
    type: 'offset.requested.v1',
    position: BigInt(position),
    timestamp: new Date(Number(raw.timestamp)),
    headers: {},
    context: { requestId: '', traceId: '', traceparent: '' },
    raw,
  };
}

/** A run whose pauses take no time and whose place is never lost; it remembers its pauses. */
export function runOf(more: Partial<Run> = {}): Run & { readonly pauses: number[] } {
  const pauses: number[] = [];
  const hold = {
    check: () => {},
    confirm: async () => {},
    pause: async (ms: number) => void pauses.push(ms),
    during: <T>(work: () => Promise<T>) => work(),
  };
  return { topic: 'offset.requested', partition: 2, raw: [], messages: [], letters: [], hold, pauses, ...more };
}
