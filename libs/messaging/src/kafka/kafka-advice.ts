import { type ConnectionSettings, errorText, tlsHint } from '@carbon/config';

const SETTINGS: ConnectionSettings = {
  engine: 'Kafka',
  address: 'KAFKA_BROKERS',
  tlsOn: 'KAFKA_TLS=on',
  tlsOff: 'KAFKA_TLS=off',
  ca: 'KAFKA_TLS_CA_FILE',
  certificate: 'KAFKA_TLS_CERT_FILE with KAFKA_TLS_KEY_FILE',
};

/** What kafkajs and the broker say about SASL, and what to do. The first that fits wins. */
const SASL_ADVICE: readonly (readonly [RegExp, string])[] = [
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

/** What a person can do about an error, where it says that the settings of the connection are wrong; else undefined. */
export function kafkaAdvice(error: unknown): string | undefined {
  const text = typeof error === 'string' ? error : errorText(error);
  return SASL_ADVICE.find(([pattern]) => pattern.test(text))?.[1] ?? tlsHint(text, SETTINGS);
}
