import { readFileSync } from 'node:fs';
import { DEAD_LETTER, TOPICS, type Topic } from './topics.js';

const fileOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const PAGE = fileOf('../../../docs/events.md');
const topics = Object.entries<Topic>(TOPICS);
const types = topics.flatMap(([topic, { types }]) => Object.keys(types).map((type) => ({ topic, type })));
const DAY_MS = 86_400_000;

/** The part of the page below a heading, up to the next one of the same level or a higher one. */
function section(heading: string): string {
  const level = heading.indexOf(' ');
  const [, below = ''] = PAGE.split(`\n${heading}\n`);
  return below.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

describe('docs/events.md', () => {
  it.each(topics)(
    'tells the key of %s, its partitions and how long it is kept',
    (topic, { key, partitions, settings }) => {
      const text = section(`## ${topic}`).replaceAll('\n', ' ');
      const days = Number(settings['retention.ms']) / DAY_MS;
      expect(text).toContain(`Key: the ${key.replace(' id', "'s id")}`);
      expect(text).toContain(`${partitions} partitions, kept for ${Number.isNaN(days) ? 'ever' : `${days} days`}`);
    },
  );

  it.each(types)('has the golden example of $type, and it is read', ({ topic, type }) => {
    const [, json = ''] = /```json\n([\s\S]*?)```/.exec(section(`### ${type}`)) ?? [];
    const [golden] = JSON.parse(fileOf(`../golden/${type}.json`)) as unknown[];
    expect(JSON.parse(json)).toEqual(golden);
    expect(TOPICS[topic as keyof typeof TOPICS].types).toHaveProperty([type]);
  });

  it('has a heading for every event and for no other', () => {
    const headings = [...PAGE.matchAll(/^### (\S+\.v\d+)$/gm)].map(([, type]) => type);
    expect(headings).toEqual(types.map(({ type }) => type));
  });

  it('tells how many partitions the dead letters have, and how long they are kept', () => {
    const days = Number(DEAD_LETTER.settings['retention.ms']) / DAY_MS;
    expect(DEAD_LETTER.partitions).toBe(1);
    expect(section('## Dead letters')).toContain(`(one partition, kept for ${days} days)`);
  });
});
