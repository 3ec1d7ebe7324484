import {
  type CarbonError,
  type ErrorItem,
  NetworkError,
  ProblemError,
  RateLimitedError,
  TimedOutError,
} from '@carbon/client';
import { type CommandError, widthOf } from '@carbon/terminal';
import fc from 'fast-check';
import { underlined } from './caret.js';
import { commandErrorOf } from './problem-report.js';

const WIDE = 1_000;

describe('the caret under an error', () => {
  it('is below the error, and only below its line', () => {
    const rows: [string, number, number, string, string][] = [
      ['source: TOUCAN and tiker: BCT', 19, 5, 'source: TOUCAN and tiker: BCT', '                   ^^^^^'],
      ['name: 森林 and tiker: BCT', 13, 5, 'name: 森林 and tiker: BCT', '               ^^^^^'],
      ['🌳\té\u0301 ﾊ: x', 9, 1, '🌳    é\u0301 ﾊ: x', '           ^'],
      ['\u0007\u202e森', 2, 1, '\\u{7}\\u{202e}森', '             ^^'],
      ['(rating > 3', 11, 0, '(rating > 3', '           ^'],
      ['', 0, 0, '', '^'],
      ['a\nbb tiker: x\nc', 5, 5, 'bb tiker: x', '   ^^^^^'],
      ['\nx', 0, 1, '', '^'],
      ['\u0301x', 0, 1, '\u0301x', '^'],
    ];
    const shown = rows.map(([text, position, length]) => underlined(text, { position, length }, WIDE));
    expect(shown).toEqual(rows.map(([, , , line, carets]) => [line, carets]));
  });

  it('shows the part of a long line around the error, within the width, with the caret below it', () => {
    const character = fc.constantFrom('a', ' ', '"', 'é', 'e\u0301', '森', 'ﾊ', '🌳', '👍🏽', '\t', '\u0007', '\u202e');
    const characters = fc.array(character, { maxLength: 40 });
    fc.assert(
      fc.property(characters, characters, fc.integer({ min: 20, max: 60 }), (before, after, room) => {
        const [head, tail] = [before.join(''), after.join('')];
        const [line, carets] = underlined(`${head}!${tail}`, { position: head.length, length: 1 }, room);
        expect(widthOf(line)).toBeLessThanOrEqual(room);
        expect(carets.trimStart()).toBe('^');
        expect(widthOf(line.slice(0, line.indexOf('!')))).toBe(carets.length - 1);
      }),
    );
    const long = `${'x'.repeat(50)} ${'y'.repeat(100)}`;
    expect(underlined(long, { position: 51, length: 100 }, 20)).toEqual([
      '…xxxxxxx yyyyyyyyyy…',
      '         ^^^^^^^^^^',
    ]);
  });
});

const context = {
  gateway: 'http://127.0.0.1:3000',
  hasKey: true,
  width: 80,
  paint: (_: string, text: string) => text,
};
const problem = (code: string, status: number, more: object = {}) =>
  new ProblemError(code, `the service says ${code}`, { status, ...more });
const failure = (error: CarbonError, more: object = {}) =>
  commandErrorOf(error, { ...context, ...more }) as CommandError;
const linesOf = (...given: Parameters<typeof failure>) => failure(...given).message.split('\n');
const item = (more: Partial<ErrorItem>): ErrorItem => ({ field: '', code: 'x', detail: 'is wrong', ...more });

describe('the report of a service’s error', () => {
  it('has an exit code that tells what to do', () => {
    const rows: [CarbonError, number][] = [
      [problem('invalid_request', 400), 1],
      [problem('not_found', 404), 1],
      [problem('newer_than_this_client', 418), 1],
      [problem('unauthorized', 401), 77],
      [problem('forbidden', 403), 77],
      [problem('rate_limited', 429), 75],
      [problem('service_unavailable', 503), 75],
      [problem('internal_error', 500), 75],
      [new NetworkError('no answer'), 75],
      [new TimedOutError('too late'), 75],
    ];
    expect(rows.map(([error]) => [error.code, failure(error).exitCode])).toEqual(
      rows.map(([error, code]) => [error.code, code]),
    );
  });

  it('contains the delay after too many requests', () => {
    const error = new RateLimitedError('rate_limited', 'slow down', { status: 429, retryAfter: 3 });
    expect(linesOf(error)).toEqual(['Too many requests: this key has reached its limit.', 'Try again in 3 s.']);
    expect(failure(error, { hasKey: false }).message).toContain('this address has reached');
  });

  it('explains how to retry without a second offset, with the id of the request', () => {
    const facts = { retryAfter: 1, retryKey: "it's mine", requestId: 'request-1' };
    expect(linesOf(problem('outcome_unknown', 503, facts))).toEqual([
      'The service does not know whether the offset was accepted: it may be recorded, or not.',
      'Try again in 1 s.',
      "The same command with --idempotency-key 'it'\\''s mine' retries it, and cannot create a second offset.",
      '(request request-1)',
    ]);
  });

  it('names the service that does not respond, and the reason', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = new NetworkError('no answer', { cause: new TypeError('fetch failed', { cause: refused }) });
    expect(linesOf(error)[0]).toBe('No response from http://127.0.0.1:3000 (ECONNREFUSED).');
  });

  it('lists every error by argument, with suggestions', () => {
    const errors = [
      item({ field: 'kgCO2e', detail: 'must be above 0' }),
      item({ field: 'customerRef', detail: 'is too long' }),
      item({ field: 'createdTo', detail: 'must be later than createdFrom' }),
      item({ field: 'sort', detail: 'names prce; did you mean price?', suggestion: 'price' }),
      item({ field: 'status', suggestion: 'failed', hint: 'one word' }),
    ];
    expect(linesOf(problem('invalid_request', 400, { errors }))).toEqual([
      'The request is not valid:',
      '  <kg>: must be above 0',
      '  --ref: is too long',
      '  --to: must be later than --from',
      '  --sort: names prce; did you mean price?',
      '  --status: is wrong',
      '  did you mean failed?',
      '  one word',
    ]);
  });

  it('shows each error of the criteria with carets below it, in colour only if colour is on', () => {
    const errors = [
      item({ field: 'criteria', position: 4, length: 5, detail: 'unknown \u001b[2J', suggestion: 'ticker' }),
      item({ field: 'criteria', position: 14, length: 0, detail: 'a value is missing' }),
    ];
    const paint = (_: string, text: string) => `\u001b[31m${text}\u001b[39m`;
    const options = { criteria: '森 x tiker: a or', paint };
    const { message, styled } = failure(problem('invalid_criteria', 400, { errors }), options);
    const [line, detail] = ['  森 x tiker: a or', '  unknown \\u{1b}[2J'];
    const plain = [line, '       ^^^^^', detail, '  did you mean ticker?', line, '                 ^'];
    expect(message.split('\n').slice(1, 7)).toEqual(plain);
    expect(styled.split('\n').slice(1, 4)).toEqual([line, '  \u001b[31m     ^^^^^\u001b[39m', detail]);
  });

  it('removes control sequences', () => {
    const nasty = '\u001b[2J\u009b1m\u202e';
    const errors = [item({ field: nasty, detail: nasty, hint: nasty, suggestion: nasty })];
    const error = new ProblemError('new', nasty, { status: 500, errors, requestId: nasty, retryKey: nasty });
    const { message, styled } = failure(error);
    for (const text of [message, styled]) expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('leaves any other error unchanged', () => {
    const bug = new TypeError('a bug');
    expect(commandErrorOf(bug, context)).toBe(bug);
  });
});
