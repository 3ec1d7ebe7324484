import { answerTo, isAbsent, orderBody, type RawAnswer } from './registry-contract.js';

const ORDER = {
  offset: 'off_00000000000000000000000001',
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

describe('what a registry is asked', () => {
  it('holds whole numbers as decimal text', () => {
    expect(orderBody(ORDER)).toBe(
      '{"offset":"off_00000000000000000000000001","lines":[' +
        '{"asset":"pool_a","grams":"9007199254740993","priceMicros":"0"},' +
        '{"asset":"pool_b","grams":"1","priceMicros":"1250000"}]}',
    );
  });
});

describe('what a registry answers', () => {
  it('is believed when it repeats what was asked, in whatever order, with whatever else', () => {
    const more = { ...said, lines: [...said.lines].reverse(), reference: 'R-1', extra: true };
    expect(answerTo(ORDER, answer(201, more))).toEqual({ outcome: 'retired', reference: 'R-1' });
    expect(answerTo(ORDER, answer(200, said))).toEqual({ outcome: 'retired', reference: undefined });
  });

  it.each([
    ['a line twice', { ...said, lines: [said.lines[0], said.lines[0]] }],
    ['a line more', { ...said, lines: [...said.lines, { asset: 'pool_c', grams: '1', priceMicros: '1' }] }],
    ['another price', { ...said, lines: [said.lines[0], { ...said.lines[1], priceMicros: '1250001' }] }],
    ['another asset', { ...said, lines: [said.lines[0], { ...said.lines[1], asset: 'pool_c' }] }],
    ['leading zeros', { ...said, lines: [said.lines[0], { ...said.lines[1], grams: '01' }] }],
    ['control characters', { ...said, reference: 'R\u0000' }],
    ['an empty reference', { ...said, reference: '' }],
    ['null', null],
    ['a list', [said]],
  ])('is not believed with %s', (_, body) => {
    expect(outcome(answer(200, body))).toBe('unknown');
  });

  it('is a refusal when a 4xx names the offset, and shows its owner no word but the code', () => {
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
  ])('is no refusal and no success: %i %j', (status, body) => {
    expect(outcome(answer(status, body))).toBe('unknown');
  });

  it('asks for patience in seconds or until a date', () => {
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

  it('knows nothing of the offset only when it says 404', () => {
    expect([404, 410, 200].map((status) => isAbsent(answer(status, {})))).toEqual([true, false, false]);
  });
});
