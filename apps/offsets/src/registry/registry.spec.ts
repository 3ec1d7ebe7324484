import { CircuitBreaker } from './circuit-breaker.js';
import { answerTo, isAbsent, orderBody, type RawAnswer } from './registry-contract.js';

describe('the contract with a registry', () => {
  const ORDER = {
    offset: 'off_00000000000000000000000001',
    ...{ attempt: 1, isRecovered: false },
    lines: [
      { asset: 'pool_a', grams: 9_007_199_254_740_993n, priceMicros: 0n },
      { asset: 'pool_b', grams: 1n, priceMicros: 1_250_000n },
    ],
  };
  const said = JSON.parse(orderBody(ORDER)) as { offset: string; lines: object[] };
  const answer = (status: number, body: unknown, more: Partial<RawAnswer> = {}): RawAnswer => ({
    status,
    type: 'application/json',
    retryAfter: undefined,
    body: Buffer.from(JSON.stringify(body)),
    ...more,
  });
  const outcome = (raw: RawAnswer) => answerTo(ORDER, raw).outcome;

  it('writes whole numbers as decimal text', () => {
    expect(orderBody(ORDER)).toBe(
      '{"offset":"off_00000000000000000000000001","lines":[' +
        '{"asset":"pool_a","grams":"9007199254740993","priceMicros":"0"},' +
        '{"asset":"pool_b","grams":"1","priceMicros":"1250000"}]}',
    );
  });

  it('takes an answer that repeats the order as retired, in any order of lines and with more members', () => {
    const more = { ...said, lines: [...said.lines].reverse(), reference: 'R-1', extra: true };
    expect(answerTo(ORDER, answer(201, more))).toEqual({ outcome: 'retired', reference: 'R-1' });
    expect(answerTo(ORDER, answer(200, said))).toEqual({ outcome: 'retired', reference: undefined });
  });

  const [first, second] = said.lines;
  it.each<[string, unknown]>([
    ['another offset', { ...said, offset: 'off_00000000000000000000000002' }],
    ['no lines', { ...said, lines: [] }],
    ['a line twice', { ...said, lines: [first, first] }],
    ['a line more', { ...said, lines: [...said.lines, { asset: 'pool_c', grams: '1', priceMicros: '1' }] }],
    ['a gram more', { ...said, lines: [first, { ...second, grams: '2' }] }],
    ['grams that are no text', { ...said, lines: [first, { ...second, grams: 1 }] }],
    ['leading zeros', { ...said, lines: [first, { ...second, grams: '01' }] }],
    ['another price', { ...said, lines: [first, { ...second, priceMicros: '1250001' }] }],
    ['another asset', { ...said, lines: [first, { ...second, asset: 'pool_c' }] }],
    ['control characters', { ...said, reference: 'R\u0000' }],
    ['an empty reference', { ...said, reference: '' }],
    ['a reference that is too long', { ...said, reference: 'R'.repeat(257) }],
    ['a reference that is no text', { ...said, reference: 7 }],
    ['null', null],
    ['a list', [said]],
  ])('treats an answer with %s as unknown', (_, body) => {
    expect(outcome(answer(200, body))).toBe('unknown');
  });

  it.each<[string, Partial<RawAnswer>]>([
    ['half of it', { body: Buffer.from('{"offset": ') }],
    ['bytes that are no text', { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }],
    ['a page', { type: 'text/html' }],
    ['no word', { body: Buffer.alloc(0) }],
  ])('treats an answer with %s as unknown', (_, more) => {
    expect(outcome(answer(200, said, more))).toBe('unknown');
  });

  it('takes a 4xx that names the offset as refused, and shows the owner only its code', () => {
    const { offset } = ORDER;
    expect(answerTo(ORDER, answer(422, { offset, code: 'frozen', detail: 'SECRET' }))).toEqual({
      outcome: 'refused',
      detail: 'The registry refused to retire these credits (frozen). Nothing was retired.',
    });
    expect(answerTo(ORDER, answer(409, { offset }, { type: 'application/problem+json' }))).toEqual({
      outcome: 'refused',
      detail: 'The registry refused to retire these credits. Nothing was retired.',
    });
  });

  it.each([
    [422, {}],
    [422, { offset: 'off_00000000000000000000000002' }],
    [422, { offset: ORDER.offset, code: 'Not A Code' }],
    [408, { offset: ORDER.offset }],
    [425, { offset: ORDER.offset }],
    [429, { offset: ORDER.offset }],
    [500, { offset: ORDER.offset }],
    [302, { offset: ORDER.offset }],
    [202, said],
  ])('treats as unknown: %i %j', (status, body) => {
    expect(outcome(answer(status, body))).toBe('unknown');
  });

  it('reads Retry-After as seconds or a date', () => {
    const waits = [
      '7',
      '0',
      new Date(Date.now() + 60_000).toUTCString(),
      'Thu, 01 Jan 1970 00:00:00 GMT',
      'soon',
      '-5',
    ].map((retryAfter) => answerTo(ORDER, answer(503, {}, { retryAfter })));
    expect(waits.map((wait) => 'waitMs' in wait && wait.waitMs)).toEqual([
      7_000,
      undefined,
      expect.closeTo(60_000, -4),
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes only 404 as an absent retirement', () => {
    expect([404, 410, 200].map((status) => isAbsent(answer(status, {})))).toEqual([true, false, false]);
  });
});

describe('a circuit breaker', () => {
  let time = 0;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    time = 1_000;
    breaker = new CircuitBreaker({ failures: 3, initialMs: 100, maxMs: 400 }, () => time);
  });
  const fail = (times: number) => {
    for (let n = 0; n < times; n += 1) breaker.recordFailure();
  };
  /** Waits until it is half-open; returns how long it was open. */
  const openFor = () => {
    const begin = time;
    while (breaker.state === 'open') time += 1;
    return time - begin;
  };

  it('allows calls up to the limit, until so many have failed in a row', () => {
    expect([breaker.availableCapacity(8, 0), breaker.availableCapacity(8, 5), breaker.availableCapacity(8, 9)]).toEqual(
      [8, 3, 0],
    );
    fail(2);
    breaker.recordSuccess();
    fail(2);
    expect(breaker.availableCapacity(8, 0)).toBe(8);
    fail(1);
    expect([breaker.state, breaker.availableCapacity(8, 0)]).toEqual(['open', 0]);
  });

  it('allows one trial when its time is over, and closes when the trial succeeds', () => {
    fail(3);
    time += 100;
    expect([breaker.state, breaker.availableCapacity(8, 0), breaker.availableCapacity(8, 1)]).toEqual([
      'half-open',
      1,
      0,
    ]);
    breaker.recordSuccess();
    expect([breaker.state, breaker.availableCapacity(8, 1)]).toEqual(['closed', 7]);
  });

  it('opens for twice as long after each failed trial, up to a bound, with jitter', () => {
    fail(3);
    for (const most of [100, 200, 400, 400, 400]) {
      const ms = openFor();
      expect(ms).toBeGreaterThanOrEqual(most / 2);
      expect(ms).toBeLessThanOrEqual(most);
      fail(1);
    }
  });

  it('is not kept open by calls that were in progress when it opened', () => {
    fail(3);
    const before = time;
    while (breaker.state === 'open') {
      time += 1;
      if (breaker.state === 'open') fail(1);
    }
    expect(time - before).toBeLessThanOrEqual(100);
  });

  it('stays open for as long as the server requests, also when a call in progress succeeds', () => {
    breaker.recordFailure(5_000);
    time += 10;
    breaker.recordSuccess();
    expect([breaker.state, breaker.availableCapacity(8, 0)]).toEqual(['open', 0]);
    time += 4_990;
    expect([breaker.state, breaker.availableCapacity(8, 0)]).toEqual(['closed', 8]);
  });

  it('opens after one failure for as long as the server requests', () => {
    breaker.recordFailure(5_000);
    time += 4_999;
    expect(breaker.availableCapacity(8, 0)).toBe(0);
    time += 1;
    expect(breaker.availableCapacity(8, 0)).toBe(8);
  });
});
