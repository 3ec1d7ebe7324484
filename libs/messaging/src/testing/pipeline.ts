import type { KafkaMessage } from 'kafkajs';
import type { Message, PipelineRun } from '../pipeline/message.js';

/** Returns a message as kafkajs delivers it. */
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

/** Returns the same message, decoded. */
export function decodedMessage(position: number): Message {
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

/** Returns a run that records its sleeps instead of sleeping, and never loses its partition. */
export function runOf(more: Partial<PipelineRun> = {}): PipelineRun & { readonly sleeps: number[] } {
  const sleeps: number[] = [];
  const ownership = {
    check: () => {},
    confirm: async () => {},
    sleep: async (ms: number) => void sleeps.push(ms),
    withHeartbeats: <T>(work: () => Promise<T>) => work(),
  };
  return {
    topic: 'offset.requested',
    partition: 2,
    raw: [],
    messages: [],
    deadLetters: [],
    ownership,
    sleeps,
    ...more,
  };
}
