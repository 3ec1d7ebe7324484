import { type LogEntry, type logCreator, logLevel } from 'kafkajs';
import { kafkaAdvice } from './kafka-advice.js';
import type { MessagingLogger } from './messaging-logger.js';

/** The only fields taken over: kafkajs now and then logs whole messages, and those may hold a client's data. */
const FIELDS = {
  broker: 'address',
  groupId: 'group',
  topic: 'topic',
  partition: 'partition',
  offset: 'position',
  error: 'reason',
  retryCount: 'attempt',
  retryTime: 'waitMs',
} as const;

function fieldsOf({ namespace, log }: LogEntry): object {
  const fields = Object.entries(FIELDS).flatMap(([theirs, ours]) => {
    const value: unknown = log[theirs];
    return value === undefined ? [] : [[ours, value instanceof Error ? value.message : value]];
  });
  return { name: `kafkajs ${namespace}`, ...Object.fromEntries(fields) };
}

/**
 * Leads kafkajs' log into ours. Its errors become warnings: it calls every lost connection an error, and whether one is
 * is known only to the code that gave it the work. Its info is debug to us. Where the settings of the connection are
 * wrong, the line says what to change.
 */
export function logBridge(logger: MessagingLogger): logCreator {
  return () => (entry) => {
    const isWarning = entry.level <= logLevel.WARN;
    const advice = isWarning ? kafkaAdvice(entry.log.message) : undefined;
    const message = advice === undefined ? entry.log.message : `${entry.log.message}. ${advice}`;
    (isWarning ? logger.warn : logger.debug).call(logger, fieldsOf(entry), message);
  };
}
