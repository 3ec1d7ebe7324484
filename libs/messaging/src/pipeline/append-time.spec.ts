import { appendTimeOf, firstAppendedAt } from './append-time.js';

const APPENDED = new Date('2026-03-02T10:15:30.123Z');
const EARLIER = '2026-03-01T10:15:30.123Z';
const replay = (at: string) => ({ 'x-replay-of': 'offset.requested.dead-letter:7', 'x-appended-at': at });

describe('the time at which a broker appended a message', () => {
  it.each([
    ['1767225600000', '2026-01-01T00:00:00.000Z'],
    ['-1', '1970-01-01T00:00:00.000Z'],
    ['9223372036854775807', '9999-12-31T23:59:59.999Z'],
  ])('of %s is %s, a time that every reader and the database know', (timestamp, time) => {
    expect(appendTimeOf({ timestamp }).toISOString()).toBe(time);
  });
});

describe('the time at which a message was first appended', () => {
  it('is that of the broker', () => {
    expect(firstAppendedAt(APPENDED, {})).toEqual(APPENDED);
  });

  it('is that of the original when the message is a replay', () => {
    expect(firstAppendedAt(APPENDED, replay(EARLIER))).toEqual(new Date(EARLIER));
  });

  it.each([
    ['no replay', { 'x-appended-at': EARLIER }],
    ['a replay without it', { 'x-replay-of': 'offset.requested.dead-letter:7' }],
    ['a replay that says a later time', replay('2026-03-02T10:15:30.124Z')],
    ['a replay that says no time', replay('yesterday')],
    ['a replay that says a time before 1970', replay('0000-01-01T00:00:00.000Z')],
  ])('is that of the broker for %s', (_, headers) => {
    expect(firstAppendedAt(APPENDED, headers)).toEqual(APPENDED);
  });
});
