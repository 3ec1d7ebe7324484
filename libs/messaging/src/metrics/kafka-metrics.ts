import { BACKGROUND_SECONDS, BATCH_SIZES, counter, gauge, histogram, REQUEST_SECONDS } from '@carbon/observability';

const TOPIC = 'The topic by its plain name.';
const GROUP = 'The consumer group by its plain name.';

/** What every app counts of the messages it takes from Kafka. */
export function consumingMetrics(app: string) {
  const of = { group: GROUP, topic: TOPIC };
  return {
    lag: gauge(
      `carbon_${app}_kafka_lag_messages`,
      'Messages that the group has not done yet, over all partitions. The same from every instance: take the maximum.',
      of,
    ),
    oldestUnread: gauge(
      `carbon_${app}_kafka_oldest_unread_age_seconds`,
      'How long the oldest message that the group has not done has been on the topic, at least; exact to a factor of two, 0 when there is none.',
      of,
    ),
    consuming: gauge(
      `carbon_${app}_kafka_consuming`,
      'Whether this process is in the group and alive (1) or not (0).',
      {
        group: GROUP,
      },
    ),
    batchMessages: histogram(
      `carbon_${app}_kafka_batch_messages`,
      'Messages that were handled at once.',
      BATCH_SIZES,
      of,
    ),
    batchDuration: histogram(
      `carbon_${app}_kafka_batch_duration_seconds`,
      'From a batch being fetched to its position being committed, waits for whatever was away included.',
      BACKGROUND_SECONDS,
      of,
    ),
    deadLetters: counter(
      `carbon_${app}_kafka_dead_letters_total`,
      'Messages that were given up and lie on the dead-letter topic.',
      { topic: 'The topic that the message came from.', reason: 'Why: the code in its header x-reason-code.' },
    ),
    letterWait: gauge(
      `carbon_${app}_kafka_dead_letter_wait_seconds`,
      'How long a dead letter has been waiting for Kafka, which holds its partition up; 0 when none does.',
      { group: GROUP },
    ),
  };
}

/** What every app counts of the messages it puts into Kafka. */
export function publishingMetrics(app: string) {
  return {
    duration: histogram(
      `carbon_${app}_publish_duration_seconds`,
      'From a message being handed over for publishing to its outcome.',
      REQUEST_SECONDS,
      {
        topic: TOPIC,
        outcome:
          '`confirmed`, `not_accepted` (nothing was sent), `outcome_unknown`, or `refused` (a mistake of ours, such as a message too large).',
      },
    ),
    batchMessages: histogram(`carbon_${app}_publish_batch_messages`, 'Messages sent to Kafka at once.', BATCH_SIZES),
    inFlight: gauge(
      `carbon_${app}_publish_in_flight_messages`,
      'Messages that wait for Kafka or lie there unconfirmed.',
    ),
    connected: gauge(
      `carbon_${app}_publish_connected`,
      'Whether the way to Kafka is open for publishing (1) or not (0).',
    ),
  };
}
