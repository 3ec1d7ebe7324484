import type { KafkaMessage } from 'kafkajs';
import { z } from 'zod';
import { DEAD_LETTER_HEADERS, REPLAY_HEADER } from './dead-letter-headers.js';

/** Beyond it a time has no RFC 3339 form, and a database would refuse it. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const headerTime = z.iso.datetime({ precision: 3 }).transform(Date.parse).pipe(z.number().positive());

/** Returns the time at which the broker appended a message; topics of the system have LogAppendTime. */
export function appendTimeOf({ timestamp }: Pick<KafkaMessage, 'timestamp'>): Date {
  return new Date(Math.min(Math.max(Number(timestamp), 0), LATEST_MS));
}

/**
 * Returns the time at which a message was first appended. A replay of a dead letter says when its original was appended; the
 * header counts on a replay only, and only when it is earlier than the time at which the broker appended the replay.
 * @param headers the first value of each
 */
export function firstAppendedAt(appendedAt: Date, headers: Readonly<Record<string, string>>): Date {
  return headers[REPLAY_HEADER] === undefined
    ? appendedAt
    : earlierTime(appendedAt, headers[DEAD_LETTER_HEADERS.appendedAt]);
}

/** Returns the time that `x-appended-at` says, unless it is absent, malformed or later than `appendedAt`. */
export function earlierTime(appendedAt: Date, header: string | undefined): Date {
  const original = headerTime.safeParse(header);
  return original.success && original.data < appendedAt.getTime() ? new Date(original.data) : appendedAt;
}
