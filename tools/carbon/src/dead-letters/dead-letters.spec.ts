import { fingerprint } from '@carbon/contracts';
import { replayRejection } from './replay-checks.js';
import { request, requestMessage } from './testing/dead-letter-topics.js';
import { ReasonCounts } from './views.js';

describe('the checks of a replay', () => {
  it('report what would fail again, and contradictions', () => {
    const valid = request();
    const other = request();
    const changed = { kgCO2e: 1, customerRef: 'new' };
    const rows: [unknown, string][] = [
      ['{', 'it would fail again: invalid_json: '],
      ['{"id":7}', 'it would fail again: invalid_data: id: '],
      [other, `its key is "${valid.id}", its id "${other.id}"`],
      [{ ...valid, grams: '7' }, 'the grams of its kgCO2e are 1000, not 7'],
      [{ ...valid, ...changed }, `the fingerprint of its request is ${fingerprint(changed)}`],
    ];
    const found = rows.map(([value]) => {
      const { headers = {}, ...message } = requestMessage(valid.id, value);
      const [key, bytes] = [Buffer.from(String(message.key)), Buffer.from(String(message.value))];
      return replayRejection('offset.requested', { key, value: bytes, headers })?.detail;
    });
    expect(found).toEqual(rows.map(([, detail]) => expect.stringContaining(detail)));
  });
});

describe('the counts of reasons', () => {
  it('stay bounded, however many reasons a client invents', () => {
    const counts = new ReasonCounts();
    for (let n = 0; n < 100_000; n += 1) counts.add('offset.requested', `reason ${n}`);
    const [line = ''] = counts.lines();
    expect(line).toContain('offset.requested: 100000 (other reasons 99900, ');
    expect(line.length).toBeLessThan(3_000);
  });
});
