import kafkajs from 'kafkajs';
import { isFinal } from './publish-errors.js';

const answer = (type: string, retriable: boolean) =>
  new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, retriable }));

describe('whether a broker refuses messages for good', () => {
  it.each(['MESSAGE_TOO_LARGE', 'TOPIC_AUTHORIZATION_FAILED'])('it does by %s, however kafkajs wraps it', (type) => {
    const cause = answer(type, false);
    expect(isFinal(cause)).toBe(true);
    expect(isFinal(new Error('wrapped', { cause }))).toBe(true);
  });

  it.each(['NOT_ENOUGH_REPLICAS', 'NOT_LEADER_FOR_PARTITION'])('it does not by %s', (type) => {
    expect(isFinal(answer(type, true))).toBe(false);
  });

  it.each(['SASL_AUTHENTICATION_FAILED', 'ILLEGAL_SASL_STATE'])(
    'it does not by %s: the next connection may have a token that is valid',
    (type) => {
      expect(isFinal(answer(type, false))).toBe(false);
    },
  );
});
