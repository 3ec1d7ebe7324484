import kafkajs from 'kafkajs';
import { defaultReplication } from './topic-state.js';

const refusing = (type: string) => ({
  describeCluster: async () => ({
    brokers: [{ nodeId: 1, host: 'localhost', port: 9 }],
    controller: 1,
    clusterId: 'c',
  }),
  describeConfigs: () => {
    const answer = Object.assign(new Error('Cluster authorization failed'), { type, retriable: false });
    return Promise.reject(new kafkajs.KafkaJSProtocolError(answer));
  },
});

describe('how many copies brokers make by default', () => {
  it('is not known on a cluster that shows the settings of its brokers to nobody', async () => {
    expect(await defaultReplication(refusing('CLUSTER_AUTHORIZATION_FAILED'))).toBeUndefined();
  });

  it('is asked in vain when something else is wrong', async () => {
    await expect(defaultReplication(refusing('INVALID_REQUEST'))).rejects.toThrow('Cluster authorization failed');
  });
});
