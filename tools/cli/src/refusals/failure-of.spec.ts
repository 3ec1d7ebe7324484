import {
  type CarbonError,
  type ErrorItem,
  NetworkError,
  ProblemError,
  RateLimitedError,
  TimedOutError,
} from '@carbon/client';
import type { CommandFailure } from '@carbon/terminal';
import { failureOf } from './failure-of.js';

const told = {
  gateway: 'http://127.0.0.1:3000',
  hasKey: true,
  width: 80,
  paint: (_: string, text: string) => text,
};

function problem(code: string, status: number, more: object = {}): ProblemError {
  return new ProblemError(code, `the service says ${code}`, { status, ...more });
}

function failure(error: CarbonError, more: object = {}): CommandFailure {
  return failureOf(error, { ...told, ...more }) as CommandFailure;
}

const item = (more: Partial<ErrorItem>): ErrorItem => ({ field: '', code: 'x', detail: 'is wrong', ...more });

describe('a refusal, as a person is told of it', () => {
  it.each([
    ['a refused request', problem('invalid_request', 400), 1],
    ['an unknown id', problem('not_found', 404), 1],
    ['a code that is newer than this', problem('something_new', 418), 1],
    ['a key that is none', problem('unauthorized', 401), 77],
    ['a key that may not', problem('forbidden', 403), 77],
    ['too many requests', problem('rate_limited', 429), 75],
    ['a service that cannot', problem('service_unavailable', 503), 75],
    ['a service that broke', problem('internal_error', 500), 75],
    ['nobody there', new NetworkError('no answer'), 75],
    ['no answer in time', new TimedOutError('too late'), 75],
  ])('ends with an exit code that tells what to do about it: %s', (_, error, code) => {
    expect(failure(error).exitCode).toBe(code);
  });

  it('says when to come back after too many requests', () => {
    const error = new RateLimitedError('rate_limited', 'slow down', { status: 429, retryAfter: 3 });
    expect(failure(error).message).toBe(
      'Too many requests: this key has used up what it may ask for now.\nTry again in 3 s.',
    );
    expect(failure(error, { hasKey: false }).message).toContain('this address has used up');
  });

  it('says how it can be asked again without a second offset, and by what name the request is known', () => {
    const facts = { retryAfter: 1, retryKey: "it's mine", requestId: 'request-1' };
    expect(failure(problem('outcome_unknown', 503, facts)).message.split('\n')).toEqual([
      'The service cannot say whether the offset was accepted: it may be recorded, or not.',
      'Try again in 1 s.',
      "The same command with --idempotency-key 'it'\\''s mine' asks again, and cannot make a second offset.",
      '(request request-1)',
    ]);
  });

  it('says who does not answer, and why', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = new NetworkError('no answer', { cause: new TypeError('fetch failed', { cause: refused }) });
    expect(failure(error).message).toContain('Nothing answers at http://127.0.0.1:3000 (ECONNREFUSED).');
  });

  it('says how to set a key where none is set, and what may be wrong with one that is', () => {
    expect(failure(problem('unauthorized', 401), { hasKey: false }).message).toContain('Set API_KEY, or API_KEY_FILE');
    expect(failure(problem('unauthorized', 401)).message).toContain('mistyped, expired or revoked');
  });

  it('lists every mistake by what was typed, with what may be meant', () => {
    const errors = [
      item({ field: 'kgCO2e', detail: 'must be above 0' }),
      item({ field: 'customerRef', detail: 'is too long' }),
      item({ field: 'sort', detail: 'names prce; did you mean price?', suggestion: 'price' }),
      item({ field: 'status', suggestion: 'failed', hint: 'one word' }),
    ];
    expect(failure(problem('invalid_request', 400, { errors })).message.split('\n')).toEqual([
      'The service refuses this:',
      '  <kg>: must be above 0',
      '  --ref: is too long',
      '  --sort: names prce; did you mean price?',
      '  --status: is wrong',
      '  did you mean failed?',
      '  one word',
    ]);
  });

  it('shows each mistake of the criteria with carets below it', () => {
    const errors = [
      item({ field: 'criteria', position: 4, length: 5, detail: 'unknown field "tiker"', suggestion: 'ticker' }),
      item({ field: 'criteria', position: 14, length: 0, detail: 'a value is missing' }),
    ];
    const { message } = failure(problem('invalid_criteria', 400, { errors }), { criteria: '森 x tiker: a or' });
    expect(message.split('\n').slice(0, 7)).toEqual([
      'The criteria cannot be understood:',
      '  森 x tiker: a or',
      '       ^^^^^',
      '  unknown field "tiker"',
      '  did you mean ticker?',
      '  森 x tiker: a or',
      '                 ^',
    ]);
  });

  it('has colours for a terminal, and none for others', () => {
    const errors = [item({ field: 'criteria', position: 0, length: 2, detail: 'x \u001b[2J' })];
    const paint = (_: string, text: string) => `\u001b[31m${text}\u001b[39m`;
    const { message, shown } = failure(problem('invalid_criteria', 400, { errors }), { criteria: 'ab', paint });
    expect(shown.split('\n').slice(1, 4)).toEqual(['  ab', '  \u001b[31m^^\u001b[39m', '  x \\u{1b}[2J']);
    expect(message.split('\n').slice(1, 4)).toEqual(['  ab', '  ^^', '  x \\u{1b}[2J']);
  });

  it('gives a terminal nothing to obey', () => {
    const nasty = '\u001b[2J\u009b1m\u202e';
    const errors = [item({ field: nasty, detail: nasty, hint: nasty, suggestion: nasty })];
    const error = new ProblemError('new', nasty, { status: 500, errors, requestId: nasty, retryKey: nasty });
    const { message, shown } = failure(error);
    for (const text of [message, shown]) expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('lets anything else be what it is', () => {
    const bug = new TypeError('a bug');
    expect(failureOf(bug, told)).toBe(bug);
  });
});
