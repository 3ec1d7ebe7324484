import { DEAD_LETTER, deadLetterTopic, OUTCOMES_LONGER_MS, TOPICS } from './topics.js';

const DAY_MS = 86_400_000;

describe('topics', () => {
  it('are these four, with these partitions', () => {
    const partitions = Object.entries(TOPICS).map(([name, topic]) => [name, topic.partitions]);
    expect(Object.fromEntries(partitions)).toEqual({
      'offset.requested': 12,
      'offset.completed': 12,
      'offset.failed': 12,
      'asset.published': 6,
    });
  });

  it('take the broker’s time, never the writer’s', () => {
    for (const topic of Object.values(TOPICS)) expect(topic.settings['message.timestamp.type']).toBe('LogAppendTime');
  });

  it('lie uncompressed, whatever the writer did', () => {
    for (const { settings } of [...Object.values(TOPICS), DEAD_LETTER])
      expect(settings['compression.type']).toBe('uncompressed');
  });

  it.each([
    ['offset.requested', 14],
    ['offset.completed', 30],
    ['offset.failed', 30],
  ] as const)('%s is kept %i days', (name, days) => {
    expect(TOPICS[name].settings).toMatchObject({
      'cleanup.policy': 'delete',
      'retention.ms': String(days * DAY_MS),
    });
    expect(TOPICS[name].tombstones).toBe(false);
  });

  it('keep outcomes longer than requests by a segment of these and a week', () => {
    const { 'retention.ms': requested, 'segment.ms': segment } = TOPICS['offset.requested'].settings;
    for (const name of ['offset.completed', 'offset.failed'] as const) {
      const least = Number(requested) + Number(segment) + OUTCOMES_LONGER_MS;
      expect(Number(TOPICS[name].settings['retention.ms'])).toBeGreaterThanOrEqual(least);
    }
  });

  it('grow, but for the one whose order hangs on its partitions', () => {
    const growing = Object.entries(TOPICS).filter(([, topic]) => 'growable' in topic && topic.growable);
    expect(growing.map(([name]) => name)).toEqual(['offset.requested', 'offset.completed', 'offset.failed']);
  });

  it('asset.published is compacted, and its tombstones stay 30 days', () => {
    expect(TOPICS['asset.published'].settings).toMatchObject({
      'cleanup.policy': 'compact',
      'delete.retention.ms': String(30 * DAY_MS),
    });
    expect(TOPICS['asset.published'].tombstones).toBe(true);
  });

  it('name each event type after the topic it stands on', () => {
    for (const [name, topic] of Object.entries(TOPICS)) {
      for (const type of Object.keys(topic.types))
        expect(type).toMatch(new RegExp(`^${name.replace('.', '\\.')}\\.v\\d+$`));
    }
  });

  it('have a dead-letter topic each, of one partition, kept 30 days and never compacted', () => {
    expect(deadLetterTopic('offset.requested')).toBe('offset.requested.dead-letter');
    expect(DEAD_LETTER.partitions).toBe(1);
    expect(DEAD_LETTER.settings).toMatchObject({ 'cleanup.policy': 'delete', 'retention.ms': String(30 * DAY_MS) });
  });
});
