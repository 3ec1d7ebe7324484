export {
  countGroupMembers as membersOf,
  deleteGroup as forgetGroup,
  isKafkaReachable as kafkaAnswers,
  waitForKafka as reachKafka,
} from './admin/admin.js';
export {
  createTopics,
  ensureTopics,
  TopicCreationError as TopicsRefused,
  TopicMismatch,
  type TopicsReport,
} from './admin/create-topics.js';
export {
  type CommittedPosition,
  committedPositions,
  type PartitionEnds,
  type TopicProgress,
  topicEnds as endsOf,
  topicEndsSince as endsSince,
  topicProgress,
} from './admin/positions.js';
export { type OnRawMessage, readMessages, readTopic } from './admin/read-topic.js';
export { type TopicIdentity, TopicIdentityError, topicIdentities, topicIdentity } from './admin/topic-id.js';
export { withIdleTimeout as withPatience } from './backoff.js';
export type { ConsumedRange as Progress, StorePosition as OnProgress } from './consume/consume-batch.js';
export { connectKafka, KafkaBatchServer, startConsumer } from './consume/kafka-batch-server.js';
export type { FindStartPositions as StartsOf } from './consume/start-positions.js';
export { kafkaConnection } from './kafka/connection-settings.js';
export { createKafka, type KafkaHandle, type KafkaSettings } from './kafka/create-kafka.js';
export { kafkaHint as kafkaAdvice } from './kafka/log.js';
export { consumerMetrics as consumingMetrics, producerMetrics as publishingMetrics } from './metrics.js';
export { DEAD_LETTER_HEADERS } from './pipeline/dead-letter.js';
export { invalidReason as faultOf, type MessageContent } from './pipeline/decode.js';
export {
  appendTimeOf,
  type Batch as ReceivedBatch,
  type DeadLetter as Letter,
  earlierAppendTime as earlierTime,
  firstAppendTime as firstAppendedAt,
  type Message as Received,
  REPLAY_HEADER,
  type RejectedMessage as Rejected,
  type TopicTable,
} from './pipeline/message.js';
export {
  eventMessage,
  isMessageTooLarge as saysTooLarge,
  jsonEventMessage as writtenEvent,
  NotPublished as NotAccepted,
  type OutgoingMessage,
  Publisher,
  type PublishOptions,
  PublishOutcomeUnknown as OutcomeUnknown,
  type RecordPosition as Published,
  type WireMessage,
} from './publish/publisher.js';
export { PRODUCER_LIMITS, SelfClockedProducer } from './publish/self-clocked-producer.js';
