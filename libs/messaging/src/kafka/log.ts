import { type ConnectionSettings, errorText, tlsHint } from '@carbon/config';
import { type LogEntry, type logCreator, logLevel } from 'kafkajs';

/**
 * The part of a logger that this library uses, such as pino's. Fields never hold keys, values or bodies; their names
 * are in observability's LOG_FIELDS.
 */
export interface MessagingLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** Discards every line. */
export const SILENT: MessagingLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

const SETTINGS: ConnectionSettings = {
  engine: 'Kafka',
  address: 'KAFKA_BROKERS',
  tlsOn: 'KAFKA_TLS=on',
  tlsOff: 'KAFKA_TLS=off',
  ca: 'KAFKA_TLS_CA_FILE',
  certificate: 'KAFKA_TLS_CERT_FILE with KAFKA_TLS_KEY_FILE',
};

/** Messages of kafkajs and the broker about SASL, and what to do. The first match wins. */
const SASL_HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /KAFKA_SASL_TOKEN_\w+ (gives no|must give one) token/,
    'Kafka needs a token: KAFKA_SASL_TOKEN_FILE or KAFKA_SASL_TOKEN_COMMAND must give one.',
  ],
  [
    /SASL OAUTHBEARER authentication failed/,
    'Kafka refuses the token: check that KAFKA_SASL_TOKEN_FILE or KAFKA_SASL_TOKEN_COMMAND gives one that has not expired, for this cluster.',
  ],
  [
    /SASL .+ authentication failed/,
    'Kafka refuses the user or the password: check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD and KAFKA_SASL_MECHANISM.',
  ],
  [
    /mechanism is not supported by the server|does not support the requested SASL mechanism|UNSUPPORTED_SASL_MECHANISM/,
    'Kafka does not offer this mechanism at this address: check KAFKA_SASL_MECHANISM.',
  ],
  [
    /not valid given the current SASL state|ILLEGAL_SASL_STATE/,
    'Kafka does not expect SASL at this address: unset KAFKA_SASL_MECHANISM, or name the port of the SASL listener in KAFKA_BROKERS.',
  ],
  [
    /KafkaJSConnectionClosedError/,
    'Kafka closed the connection without an answer: its listener may expect authentication (KAFKA_SASL_MECHANISM) or TLS (KAFKA_TLS=on).',
  ],
];

/** Returns whether the connection was closed without an answer, as a wrong setting or a broker that is starting causes it. */
export function isConnectionClosed(error: unknown): boolean {
  return /KafkaJSConnectionClosedError|before secure TLS connection/.test(errorText(error));
}

/** Returns which setting to change when an error says that the connection's settings are wrong, else undefined. */
export function kafkaHint(error: unknown): string | undefined {
  const text = typeof error === 'string' ? error : errorText(error);
  return SASL_HINTS.find(([pattern]) => pattern.test(text))?.[1] ?? tlsHint(text, SETTINGS);
}

/** Returns whether an error, or one of its causes, has this Kafka error code, such as `UNKNOWN_TOPIC_OR_PARTITION`. */
export function hasErrorType(error: unknown, type: string): boolean {
  return error instanceof Error && (('type' in error && error.type === type) || hasErrorType(error.cause, type));
}

/** The only fields that are logged: kafkajs sometimes logs whole messages, which may hold a client's data. */
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
  const fields = Object.entries(FIELDS).flatMap(([name, ourName]) => {
    const value: unknown = log[name];
    return value === undefined ? [] : [[ourName, value instanceof Error ? value.message : value]];
  });
  return { name: `kafkajs ${namespace}`, ...Object.fromEntries(fields) };
}

/**
 * Writes kafkajs' log to ours. Its errors become warnings, because it calls every lost connection an error; its info lines
 * become debug. A line about wrong connection settings says which setting to change.
 */
export function logBridge(logger: MessagingLogger): logCreator {
  return () => (entry) => {
    const isWarning = entry.level <= logLevel.WARN;
    const hint = isWarning ? kafkaHint(entry.log.message) : undefined;
    const message = hint === undefined ? entry.log.message : `${entry.log.message}. ${hint}`;
    (isWarning ? logger.warn : logger.debug).call(logger, fieldsOf(entry), message);
  };
}
