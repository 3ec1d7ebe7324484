import type { TopicName } from '@carbon/contracts';
import type { KafkaHandle } from '../kafka/create-kafka.js';
import type { ReceivedBatch, Rejected } from '../pipeline/received.js';
import { type KafkaBatchOptions, KafkaBatchServer } from './kafka-batch-server.js';

/**
 * Starts a server that hands the batches of one topic to a function, with nothing of Nest around it: for consumers that
 * come and go while the application runs. Whoever starts one closes it.
 */
export function startConsumer<T>(
  kafka: KafkaHandle,
  topic: TopicName,
  options: KafkaBatchOptions,
  handle: (batch: ReceivedBatch<T>) => Promise<readonly Rejected[]>,
): KafkaBatchServer {
  const server = new KafkaBatchServer(kafka, options);
  server.addHandler(topic, handle, true);
  server.trustErrors();
  server.listen((error) => {
    if (error instanceof Error) throw error;
  });
  return server;
}
