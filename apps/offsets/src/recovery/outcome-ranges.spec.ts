import { rangeFrom } from './outcome-ranges.js';

const TOPIC = 'offset.completed';
const log = (begin: bigint, end: bigint) => ({ partition: 3, begin, end });

describe('the outcomes that a database may lack', () => {
  it.each([
    ['all of them where no position is stored', undefined, log(5n, 9n)],
    ['those from the stored position on', 7n, { partition: 3, begin: 7n, end: 9n }],
    ['none where the stored position is the end', 9n, { partition: 3, begin: 9n, end: 9n }],
    ['all of them where the log ends before the stored position', 10n, log(5n, 9n)],
  ])('are %s', (_, stored, expected) => {
    expect(rangeFrom(TOPIC, log(5n, 9n), stored)).toEqual(expected);
  });

  it('cannot be told where the log begins behind the stored position, which is said with the number and the step', () => {
    expect(() => rangeFrom(TOPIC, log(500n, 600n), 10n)).toThrow(
      /offset.completed partition 3 up to position 10.*from 500 on: 490 .*newer backup.*outcome_positions/,
    );
  });
});
