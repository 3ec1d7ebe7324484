import { readdirSync, readFileSync } from 'node:fs';
import { TOPICS } from './topics.js';

const golden = new URL('../golden/', import.meta.url);
const types = Object.values(TOPICS).flatMap((topic) => Object.entries(topic.types));
const read = (type: string): unknown[] => JSON.parse(readFileSync(new URL(`${type}.json`, golden), 'utf8'));

describe('golden events', () => {
  it('stand for every version of every event, and for nothing else', () => {
    expect(readdirSync(golden).sort()).toEqual(types.map(([type]) => `${type}.json`).sort());
  });

  it.each(types)('of %s are read, and nothing in them is lost', (type, schema) => {
    const events = read(type);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(schema.parse(event)).toEqual(event);
  });

  it.each(types)('of %s are read by one who does not know a newer writer’s additions', (type, schema) => {
    for (const event of read(type))
      expect(schema.parse({ ...Object(event), addedLater: { deep: [1] } })).toEqual(event);
  });

  it.each(types)('of %s are refused with null in place of any member', (type, schema) => {
    for (const event of read(type)) {
      for (const name of Object.keys(Object(event))) {
        expect(schema.safeParse({ ...Object(event), [name]: null }).success).toBe(false);
      }
    }
  });
});

describe('an offset event', () => {
  const [requested] = read('offset.requested.v1');
  const schema = TOPICS['offset.requested'].types['offset.requested.v1'];

  it.each([
    ['an id of another spelling', { id: 'off_0000000000000000000000000I' }],
    ['an account with capitals', { account: 'Default' }],
    ['a year that PostgreSQL does not know', { createdAt: '0000-12-31T23:59:59.999Z' }],
    ['a weight of zero', { kgCO2e: 0 }],
    ['a weight above 1e12', { kgCO2e: 1e12 + 1 }],
    ['grams as a number', { grams: 1 }],
    ['grams with a leading zero', { grams: '01' }],
    ['negative grams', { grams: '-1' }],
    ['a time without milliseconds', { createdAt: '2026-01-01T00:00:00Z' }],
    ['a time with an offset', { createdAt: '2026-01-01T00:00:00.000+01:00' }],
    ['a fingerprint with capitals', { fingerprint: 'A'.repeat(64) }],
  ])('is refused with %s', (_, change) => {
    expect(schema.safeParse({ ...Object(requested), ...change }).success).toBe(false);
  });
});
