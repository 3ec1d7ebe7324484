import { fingerprint } from '@carbon/contracts';
import { Tally } from './list/tally.js';
import { unfitness } from './replay/fitness.js';
import { request, requestMessage } from './testing/dead-letter-topics.js';

describe('unfitness', () => {
  it('names what would be given up again, or contradicts itself', () => {
    const wanted = request();
    const other = request();
    const changed = { kgCO2e: 1, customerRef: 'new' };
    const rows: [unknown, string][] = [
      ['{', 'it would be given up again: invalid_json: '],
      ['{"id":7}', 'it would be given up again: invalid_data: id: '],
      [other, `its key is "${wanted.id}", its id "${other.id}"`],
      [{ ...wanted, grams: '7' }, 'the grams of its kgCO2e are 1000, not 7'],
      [{ ...wanted, ...changed }, `the fingerprint of its request is ${fingerprint(changed)}`],
    ];
    const found = rows.map(([value]) => {
      const { headers = {}, ...message } = requestMessage(wanted.id, value);
      const [key, bytes] = [Buffer.from(String(message.key)), Buffer.from(String(message.value))];
      return unfitness('offset.requested', { key, value: bytes, headers })?.detail;
    });
    expect(found).toEqual(rows.map(([, detail]) => expect.stringContaining(detail)));
  });
});

describe('Tally', () => {
  it('stays small, however many reasons a stranger invents', () => {
    const tally = new Tally();
    for (let n = 0; n < 100_000; n += 1) tally.add('offset.requested', `reason ${n}`);
    const [line = ''] = tally.lines();
    expect(line).toContain('offset.requested: 100000 (other reasons 99900, ');
    expect(line.length).toBeLessThan(3_000);
  });
});
