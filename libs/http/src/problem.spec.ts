import {
  BadRequestException,
  type ExceptionFilter,
  HttpException,
  type INestApplication,
  ServiceUnavailableException,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { ITEM_CODES, invalidRequest, PROBLEMS, RequestError, TransientError } from './errors.js';
import { HttpAdapter, useProblemFilter } from './http-adapter.js';
import { isInternalError, problemOf, SECURITY_HEADERS } from './problem.js';

describe('problemOf', () => {
  it('returns the status, title, page and request id of an error', () => {
    const answer = problemOf(new RequestError('not_found', 'No offset has this id.'), 'r-1');
    expect(answer).toEqual({
      status: 404,
      headers: { ...SECURITY_HEADERS, 'content-type': 'application/problem+json', 'x-request-id': 'r-1' },
      body: {
        type: '/problems/not_found',
        title: 'Not found',
        status: 404,
        detail: 'No offset has this id.',
        instance: 'r-1',
        code: 'not_found',
      },
    });
  });

  it('adds the items, members and headers of an error, but replaces no standard member', () => {
    const items = [{ field: 'id', code: 'invalid_parameter', detail: 'is not an id' }];
    const members = { snippet: 'a', status: 200, code: 'x', type: 'y' };
    const error = new RequestError('invalid_criteria', 'See errors.', { items, members, headers: { allow: 'GET' } });
    const { body, headers } = problemOf(error, 'r-1');
    expect(body).toMatchObject({ errors: items, snippet: 'a', status: 400, type: '/problems/invalid_criteria' });
    expect([body.code, headers.allow]).toEqual(['invalid_criteria', 'GET']);
  });

  it('does not reveal the cause of an error', () => {
    const cause = new Error('db-7.internal refused');
    const error = new TransientError('service_unavailable', 'Try again.', { cause });
    expect(JSON.stringify(problemOf(error, 'r'))).not.toContain('db-7');
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
  ])('returns %s as %s, without its message', (error, code) => {
    const { body } = problemOf(error, 'r');
    expect(body.code).toBe(code);
    expect(JSON.stringify(body)).not.toContain('inside,');
    expect(body.detail).not.toContain('inside');
    expect(isInternalError(error)).toBe(code === 'internal_error');
  });
});

it('the detail of an invalid request is its first item and the number of the others', () => {
  const item = { field: 'id', code: 'invalid_parameter', detail: 'is not an id' };
  const details = [1, 2, 3].map((count) => invalidRequest(Array(count).fill(item)).detail);
  expect(details).toEqual(['', ' (and 1 more error)', ' (and 2 more errors)'].map((rest) => `id: is not an id${rest}`));
});

it('every problem code is in snake case and has an error status', () => {
  for (const [code, { status }] of Object.entries(PROBLEMS)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status >= 400 && status < 600).toBe(true);
  }
  expect(new Set(ITEM_CODES).size).toBe(ITEM_CODES.length);
});

it('the filter of an app writes no problem for a message: its consumer gets the error', () => {
  const filters: ExceptionFilter[] = [];
  const app = {
    getHttpAdapter: () => new HttpAdapter(),
    useGlobalFilters: (filter: ExceptionFilter) => filters.push(filter),
  };
  useProblemFilter(app as unknown as INestApplication);
  const outage = new TransientError('service_unavailable', 'Try again.');
  const host = new ExecutionContextHost([]);
  host.setType('rpc');
  expect(() => filters[0]?.catch(outage, host)).toThrow(outage);
});
