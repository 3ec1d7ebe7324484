import type { Mechanism } from 'kafkajs';
import kafkajs from 'kafkajs';
import { bearerToken, type TokenSource } from './bearer-token.js';

const SEPARATOR = '\u0001';
const LENGTH_BYTES = 4;

/**
 * OAUTHBEARER (RFC 7628) with a token read anew for each authentication. kafkajs' own takes a broker's refusal, which comes
 * as a challenge and not as an error, for success: the connection is then closed without a reason.
 */
export function oauthBearer(source: TokenSource): Mechanism {
  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ host, port, logger, saslAuthenticate }) => ({
      authenticate: async () => {
        const token = await bearerToken(source);
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
