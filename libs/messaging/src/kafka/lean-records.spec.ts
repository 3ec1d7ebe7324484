import { createRequire } from 'node:module';
import { createKafka } from './create-kafka.js';

const require = createRequire(import.meta.url);

/** A request with one record whose header has no value, which kafkajs itself cannot write. */
async function written(): Promise<Buffer> {
  const produce = require('kafkajs/src/protocol/requests/produce/v3/request.js');
  const messages = [{ key: 'k', value: 'v', headers: { empty: null } }];
  const topicData = [{ topic: 't', partitions: [{ partition: 0, messages }] }];
  const { buffer } = await produce({ acks: -1, timeout: 1, topicData }).encode();
  return buffer;
}

describe('records in one buffer', () => {
  it('are what producers send, from the first client on', async () => {
    createKafka({ brokers: ['127.0.0.1:9'], clientId: 'test' });
    expect((await written()).includes('empty')).toBe(true);
  });
});
