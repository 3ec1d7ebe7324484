import { TransientFault } from '@carbon/faults';
import { createKafka, createTopics } from '@carbon/messaging';
import { freshPrefix, testEngines } from '@carbon/testing';
import { readOutcomes } from './read-outcomes.js';

describe('reading announced outcomes', () => {
  const brokers = testEngines().kafkaBrokers.split(',');
  const kafka = createKafka({ brokers, clientId: 'test', topicPrefix: freshPrefix() });
  beforeAll(() => createTopics(kafka));

  it('does not take what a silent broker keeps for outcomes that are gone', async () => {
    const partitions = [{ partition: 0, begin: 0n, end: 1n }];
    const range = { topic: 'offset.completed', topicId: 'any', partitions, truncated: [] } as const;
    await expect(readOutcomes(kafka, [range], async () => undefined)).rejects.toThrow(TransientFault);
  });

  it('has nothing to read where nothing was announced since', async () => {
    const partitions = [{ partition: 0, begin: 1n, end: 1n }];
    const range = { topic: 'offset.completed', topicId: 'any', partitions, truncated: [] } as const;
    await expect(readOutcomes(kafka, [range], async () => undefined)).resolves.toBeUndefined();
  });
});
