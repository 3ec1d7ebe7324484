import { commandSettings, integer, kafkaSettings } from '@carbon/config';
import { z } from 'zod';

/** Everything that `npm run topics` can be set to. */
export const topicsSettings = z.object({
  ...kafkaSettings,
  ...commandSettings.shape,
  TOPIC_REPLICATION: integer(1, 100, {
    description: 'The replication factor of new topics; three in production. Not set: the default of the brokers.',
    example: '3',
  }).optional(),
  TOPIC_MIN_INSYNC: integer(1, 99, {
    description:
      'The minimum number of in-sync replicas that confirm a message (min.insync.replicas). It must be lower than the replication factor, except that 1 is always allowed. Not set: 2 with three or more replicas, else 1.',
    example: '2',
  }).optional(),
  OFFSET_PARTITIONS: integer(1, 1_000, {
    description:
      'Partitions of each offset.* topic. A higher number adds partitions while the system runs; a lower one changes nothing.',
    fallback: '12',
  }),
  OFFSET_REQUESTED_DAYS: integer(1, 3_650, {
    description:
      'The retention of offset.requested, in days; it is never lowered. With more than 14, the estimate of a request that waits that long and then up to 37 days as a dead letter may be deleted: the offset then fails with estimate_not_found.',
    fallback: '14',
  }),
  OFFSET_OUTCOME_DAYS: integer(1, 3_650, {
    description:
      'The retention of offset.completed and offset.failed, in days. It must be at least 8 days longer than that of offset.requested (a week, and a day because its segments span a day); otherwise the command fails.',
    fallback: '30',
  }),
});
