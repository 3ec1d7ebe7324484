import { BadRequestException, HttpException, ServiceUnavailableException } from '@nestjs/common';
import { invalidRequest, RequestError, TransientError } from './api-error.js';
import { SECURITY_HEADERS } from './http/security-headers.js';
import { isBug, problemOf } from './problem.js';
import { ITEM_CODES, PROBLEMS } from './problem-codes.js';

describe('problemOf', () => {
  it('gives a fault its status, title, page and request id', () => {
    const answer = problemOf(new RequestError('not_found', 'No offset has this id.'), 'r-1');
    expect(answer).toEqual({
      status: 404,
      headers: { ...SECURITY_HEADERS, 'content-type': 'application/problem+json', 'x-request-id': 'r-1' },
      body: {
        type: '/problems/not_found',
        title: 'There is nothing here',
        status: 404,
        detail: 'No offset has this id.',
        instance: 'r-1',
        code: 'not_found',
      },
    });
  });

  it('holds the mistakes, members and headers of a fault, and lets none replace what every problem has', () => {
    const items = [{ field: 'id', code: 'invalid_parameter', detail: 'is no id' }];
    const members = { snippet: 'a', status: 200, code: 'x', type: 'y' };
    const fault = new RequestError('invalid_criteria', 'See errors.', { items, members, headers: { allow: 'GET' } });
    const { body, headers } = problemOf(fault, 'r-1');
    expect(body).toMatchObject({ errors: items, snippet: 'a', status: 400, type: '/problems/invalid_criteria' });
    expect([body.code, headers.allow]).toEqual(['invalid_criteria', 'GET']);
  });

  it.each([
    [0.2, '1'],
    [1.5, '2'],
    [undefined, '1'],
  ])('tells when to try again in whole seconds (%s)', (retryAfterSeconds, expected) => {
    const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    expect(problemOf(new TransientError('not_accepted', 'x', options), 'r').headers['retry-after']).toBe(expected);
  });

  it('keeps the cause of a fault to itself', () => {
    const cause = new Error('db-7.internal refused');
    const fault = new TransientError('service_unavailable', 'Try again.', { cause });
    expect(JSON.stringify(problemOf(fault, 'r'))).not.toContain('db-7');
  });

  const coded = (code: string, statusCode: number) => Object.assign(new Error('inside'), { code, statusCode });

  it.each([
    [new BadRequestException('inside'), 'invalid_request'],
    [new HttpException('inside', 418), 'invalid_request'],
    [new ServiceUnavailableException('inside'), 'service_unavailable'],
    [new HttpException('inside', 502), 'internal_error'],
    [coded('FST_ERR_CTP_BODY_TOO_LARGE', 413), 'payload_too_large'],
    [coded('FST_ERR_REP_INVALID_PAYLOAD_TYPE', 500), 'internal_error'],
    [Object.assign(new Error('inside'), { statusCode: 404 }), 'internal_error'],
    ['inside', 'internal_error'],
    [undefined, 'internal_error'],
  ])('answers %s as %s, without its message', (error, code) => {
    const { body } = problemOf(error, 'r');
    expect(body.code).toBe(code);
    expect(JSON.stringify(body)).not.toContain('inside,');
    expect(body.detail).not.toContain('inside');
    expect(isBug(error)).toBe(code === 'internal_error');
  });
});

it('the detail of a single mistake is the mistake itself', () => {
  expect(invalidRequest([{ field: 'id', code: 'invalid_parameter', detail: 'is no id' }]).detail).toBe('id: is no id');
});

it('every code of a fault has an error status and a sentence', () => {
  for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status >= 400 && status < 600 && title.length > 8).toBe(true);
  }
  expect(new Set(ITEM_CODES).size).toBe(ITEM_CODES.length);
});
