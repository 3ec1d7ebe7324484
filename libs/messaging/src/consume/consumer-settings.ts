import type { ConsumerConfig } from 'kafkajs';

/** Times of group membership. Milliseconds. */
export interface GroupTimes {
  /** How long the group waits for a silent member, so the recovery time after a kill; the broker's least is 6 s. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /** How long a rebalance waits for members that are in the middle of a batch. */
  readonly rebalanceMs: number;
}

/**
 * The times of every group unless told. Whoever was killed is missed after ten seconds, and the others hear of that at
 * their next heartbeat, so within twelve seconds they have taken over. Milliseconds.
 */
export const GROUP_TIMES: GroupTimes = { sessionMs: 10_000, heartbeatMs: 1_500, rebalanceMs: 15_000 };

/** Everything explicit: kafkajs' own values are 30 s session, 60 s rebalance, 5 s wait, 5 retries of up to 30 s. */
export function consumerConfig(groupId: string, times: GroupTimes, isStopping: () => boolean): ConsumerConfig {
  return {
    groupId,
    sessionTimeout: times.sessionMs,
    heartbeatInterval: times.heartbeatMs,
    rebalanceTimeout: times.rebalanceMs,
    // The broker answers as soon as there is one byte; the wait is how long it holds an empty fetch, and so bounds both
    // the load of idling and the time to stop.
    minBytes: 1,
    maxWaitTimeInMs: 300,
    maxBytesPerPartition: 1_048_576,
    maxBytes: 10_485_760,
    allowAutoTopicCreation: false,
    metadataMaxAge: 60_000,
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 1_000,
      multiplier: 2,
      factor: 0.2,
      retries: 50,
      restartOnFailure: async () => !isStopping(),
    },
  };
}
