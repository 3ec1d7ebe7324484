/**
 * The limits of a producer that publishes for a test which is not about them, ms: on a busy machine Kafka may take long to
 * confirm what thousands of messages at a time ask of it.
 */
export const PATIENT_PRODUCER = { inFlight: 20_000, deadlineMs: 60_000, refuseAfterMs: 60_000 } as const;
