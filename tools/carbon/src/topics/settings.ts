import { commandSettings, integer, kafkaSettings } from '@carbon/config';
import { z } from 'zod';

/** Everything that `npm run topics` can be set to. */
export const topicsSettings = z.object({
  ...kafkaSettings,
  ...commandSettings.shape,
  TOPIC_REPLICATION: integer(1, 100, {
    description:
      'How many copies of each partition new topics get; three in production. Not set: as the brokers have it.',
    example: '3',
  }).optional(),
  TOPIC_MIN_INSYNC: integer(1, 99, {
    description:
      'In how many copies a message must be before it is confirmed (min.insync.replicas), at most one less than there are. Not set: 2 of three or more, else 1.',
    example: '2',
  }).optional(),
  OFFSET_PARTITIONS: integer(1, 1_000, {
    description:
      'Partitions of each offset.* topic. A higher number is added to while the system runs; a lower one changes nothing.',
    fallback: '12',
  }),
  OFFSET_REQUESTED_DAYS: integer(1, 3_650, {
    description: 'How long offset.requested is kept, in days; what is kept longer already stays so.',
    fallback: '14',
  }),
  OFFSET_OUTCOME_DAYS: integer(1, 3_650, {
    description:
      'How long offset.completed and offset.failed are kept, in days: at least 8 longer than offset.requested, with its segments of a day.',
    fallback: '30',
  }),
});
