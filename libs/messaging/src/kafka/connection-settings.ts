import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { promisify } from 'node:util';
import { isNativeError } from 'node:util/types';
import type { KafkaConfig } from '@carbon/config';
import kafkajs, { type Mechanism, type SASLOptions } from 'kafkajs';
import { z } from 'zod';
import type { KafkaSettings } from './create-kafka.js';

const SEPARATOR = '\u0001';
const LENGTH_BYTES = 4;
const MAX_TOKEN_BYTES = 65_536;
const COMMAND_TIMEOUT_MS = 5_000;

const tokenSchema = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]+$/);

/** Returns the connection settings that every app and command shares. */
export function kafkaConnection(config: KafkaConfig): Pick<KafkaSettings, 'brokers' | 'topicPrefix' | 'ssl' | 'sasl'> {
  const { KAFKA_BROKERS: brokers, TOPIC_PREFIX: topicPrefix } = config;
  return { brokers, topicPrefix, ssl: tlsOf(config), sasl: saslOf(config) };
}

/** Getters, because each connection copies them: a renewed certificate needs no restart. */
function tlsOf(config: KafkaConfig): ConnectionOptions | undefined {
  if (config.KAFKA_TLS === 'off') return undefined;
  const { KAFKA_TLS_CA_FILE: ca, KAFKA_TLS_CERT_FILE: cert, KAFKA_TLS_KEY_FILE: key } = config;
  const options: ConnectionOptions = { rejectUnauthorized: true, minVersion: 'TLSv1.2' };
  for (const [name, file] of Object.entries({ ca, cert, key })) {
    if (file !== undefined) Object.defineProperty(options, name, { enumerable: true, get: () => readFileSync(file) });
  }
  return options;
}

function saslOf(config: KafkaConfig): SASLOptions | Mechanism | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username = '', KAFKA_SASL_PASSWORD = '' } = config;
  if (mechanism === undefined) return undefined;
  if (mechanism !== 'oauthbearer') return { mechanism, username, password: KAFKA_SASL_PASSWORD } as SASLOptions;
  return oauthBearer(config);
}

/**
 * OAUTHBEARER (RFC 7628) that reads the token again for each authentication. kafkajs' own mechanism takes a broker's refusal, which
 * arrives as a challenge, for success; the broker then closes the connection without a reason.
 */
function oauthBearer(config: KafkaConfig): Mechanism {
  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ host, port, logger, saslAuthenticate }) => ({
      authenticate: async () => {
        const token = await readToken(config);
        const challenge = await saslAuthenticate({
          request: { encode: () => withLength(`n,,${SEPARATOR}auth=Bearer ${token}${SEPARATOR}${SEPARATOR}`) },
          response: { decode: (raw) => raw.subarray(LENGTH_BYTES), parse: (challenge) => challenge.toString('utf8') },
        });
        if (!challenge) return;
        const message = `SASL OAUTHBEARER authentication failed: ${challenge.slice(0, 500)}`;
        logger.error(message, { broker: `${host}:${port}` });
        throw new kafkajs.KafkaJSNonRetriableError(message);
      },
    }),
  };
}

function withLength(text: string): Buffer {
  const content = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(content.length);
  return Buffer.concat([length, content]);
}

/** The source of tokens gave none. The message names the setting, and never holds the token or the command. */
class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** @throws TokenError */
async function readToken(config: KafkaConfig): Promise<string> {
  const { KAFKA_SASL_TOKEN_FILE: file, KAFKA_SASL_TOKEN_COMMAND: command = '' } = config;
  const setting = file === undefined ? 'KAFKA_SASL_TOKEN_COMMAND' : 'KAFKA_SASL_TOKEN_FILE';
  const text = await (file === undefined ? run(command) : readStart(file)).catch((error: unknown) => {
    throw new TokenError(`${setting} gives no token: ${reasonOf(error)}.`);
  });
  const token = tokenSchema.safeParse(text);
  if (token.success && token.data.length <= MAX_TOKEN_BYTES) return token.data;
  throw new TokenError(`${setting} must give one token of at most ${MAX_TOKEN_BYTES} visible ASCII characters.`);
}

/** Reads no more than a token can have: the file may be anything. */
async function readStart(path: string): Promise<string> {
  await using file = await open(path);
  const buffer = Buffer.alloc(MAX_TOKEN_BYTES + 2);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

async function run(command: string): Promise<string> {
  const limits = { timeout: COMMAND_TIMEOUT_MS, maxBuffer: MAX_TOKEN_BYTES + 2, killSignal: 'SIGKILL' } as const;
  return (await promisify(execFile)('/bin/sh', ['-c', command], limits)).stdout;
}

/** Leaves out the error's own message, which repeats the command and the secrets in it. */
function reasonOf(error: unknown): string {
  if (!isNativeError(error)) return 'unknown reason';
  if ('killed' in error && error.killed === true) return `it did not end within ${COMMAND_TIMEOUT_MS / 1_000} s`;
  return 'code' in error ? `it ended with ${String(error.code)}` : error.name;
}
