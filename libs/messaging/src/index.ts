export {
  countGroupMembers,
  deleteGroup,
  isKafkaReachable,
  waitForKafka,
  withAdmin,
} from './admin/admin.js';
export {
  createTopics,
  ensureTopics,
  TopicCreationError,
  TopicMismatchError,
  type TopicsReport,
} from './admin/create-topics.js';
export {
  type CommittedPosition,
  committedPositions,
  hasNeverHadMessages,
  type PartitionEnds,
  type TopicProgress,
  topicEnds,
  topicEndsSince,
  topicProgress,
} from './admin/positions.js';
export { type OnRawMessage, readMessages, readMessagesForCommand, readTopic } from './admin/read-topic.js';
export { type TopicIdentity, TopicIdentityError, topicIdentities, topicIdentity } from './admin/topic-id.js';
export { type Backoff, backoffMs, DeadlineExceeded, settledWithin, sleep } from './backoff.js';
export type { ConsumedRange, StorePosition } from './consume/consume-batch.js';
export { connectKafka, KafkaBatchServer, startConsumer } from './consume/kafka-batch-server.js';
export { SharedBatches } from './consume/shared-batches.js';
export type { FindStartPositions } from './consume/start-positions.js';
export { kafkaConnection } from './kafka/connection-settings.js';
export { createKafka, type KafkaHandle, type KafkaSettings } from './kafka/create-kafka.js';
export { hasErrorType, kafkaHint } from './kafka/log.js';
export { consumerMetrics, producerMetrics } from './metrics.js';
export { DEAD_LETTER_HEADERS } from './pipeline/dead-letter.js';
export { invalidReason, type MessageContent } from './pipeline/decode.js';
export {
  appendTimeOf,
  type Batch,
  type DeadLetter,
  earlierAppendTime,
  firstAppendTime,
  type Message,
  REPLAY_HEADER,
  type RejectedMessage,
  type TopicTable,
} from './pipeline/message.js';
export {
  eventMessage,
  isMessageTooLarge,
  isPermanent,
  jsonEventMessage,
  NotPublished,
  type OutgoingMessage,
  type PublishOptions,
  PublishOutcomeUnknown,
  type RecordPosition,
  type WireMessage,
} from './publish/publisher.js';
export { PRODUCER_LIMITS, SelfClockedProducer } from './publish/self-clocked-producer.js';
