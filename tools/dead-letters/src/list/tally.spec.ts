import { Tally } from './tally.js';

describe('the tally of letters', () => {
  it('has a line for each topic, the commonest reason first', () => {
    const tally = new Tally();
    tally.open('offset.failed');
    for (const reason of ['invalid_json', 'unknown_type', 'invalid_data', 'unknown_type']) {
      tally.add('offset.requested', reason);
    }
    expect(tally.lines()).toEqual([
      'offset.failed: no letters',
      'offset.requested: 4 (unknown_type 2, invalid_data 1, invalid_json 1)',
    ]);
  });

  it('stays small, however many reasons a stranger invents', () => {
    const tally = new Tally();
    for (let n = 0; n < 100_000; n += 1) tally.add('offset.requested', `reason ${n}`);
    const [line = ''] = tally.lines();
    expect(line).toContain('offset.requested: 100000 (other reasons 99900, ');
    expect(line.length).toBeLessThan(3_000);
  });
});
