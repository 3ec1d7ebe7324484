import { TransientError } from '@carbon/http';
import { QueryFailedError } from 'typeorm';
import { requireServer, ServerTooOld, statementErrorCode, toTransientError } from './database-errors.js';

const failed = (code: string) =>
  new QueryFailedError('SELECT 1', [], Object.assign(new Error('failed'), code === '' ? {} : { code }));

describe('an error of the database', () => {
  it.each(['22001', '22003', '22P02', '23505', '23514', '23001'])('%s is a data error and passes unchanged', (code) => {
    const error = failed(code);
    expect(toTransientError(error)).toBe(error);
  });

  it.each([
    ['08006', 'the connection'],
    ['25006', 'a standby'],
    ['40001', 'another transaction'],
    ['40P01', 'a deadlock'],
    ['42P01', 'a schema that is not there yet'],
    ['53100', 'a full disk'],
    ['53300', 'too many connections'],
    ['55P03', 'a lock'],
    ['57014', 'a time-out'],
    ['57P01', 'a shutdown'],
    ['XX000', 'the server itself'],
    ['', 'a connection that broke in the middle'],
  ])('%s (%s) is transient', (code) => {
    const error = failed(code);
    expect(toTransientError(error)).toBeInstanceOf(TransientError);
    expect(toTransientError(error)).toMatchObject({ code: 'service_unavailable', cause: error });
  });

  it.each([
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    Object.assign(new AggregateError([Object.assign(new Error('refused'), { syscall: 'connect' })]), {
      code: 'ECONNREFUSED',
    }),
    Object.assign(new Error('Client network socket disconnected before secure TLS connection was established'), {
      code: 'ECONNRESET',
    }),
    Object.assign(new Error('the database system is starting up'), { code: '57P03', severity: 'FATAL' }),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Client has encountered a connection error and is not queryable'),
  ])('before any query is transient: $message', (error) => {
    expect(toTransientError(error)).toBeInstanceOf(TransientError);
  });

  it.each(['42P01', '42601', '42501', '54000'])('%s is transient, and logged as an error in a statement', (code) => {
    expect(toTransientError(failed(code))).toBeInstanceOf(TransientError);
    expect(statementErrorCode(failed(code))).toBe(code);
  });

  it.each([failed('57014'), failed('23505'), failed(''), new Error('Connection terminated unexpectedly')])(
    'is no such error otherwise: %s',
    (error) => expect(statementErrorCode(error)).toBeUndefined(),
  );

  it('does not reveal the database', () => {
    const transientError = toTransientError(failed('57P01'));
    expect(transientError).toMatchObject({ message: expect.not.stringMatching(/SELECT|57P01|failed/) });
  });

  it('does not wrap errors from elsewhere', () => {
    const bug = new TypeError('x is not a function');
    expect(toTransientError(bug)).toBe(bug);
  });
});

describe('the version of the database server', () => {
  it.each([180_000, 180_004, 190_000])('%i is accepted', (version) => {
    expect(() => requireServer(version)).not.toThrow();
  });

  it('is refused when it is too old, with the current and the required version', () => {
    expect(() => requireServer(170_006)).toThrow(ServerTooOld);
    expect(() => requireServer(170_006)).toThrow(
      'The database at DATABASE_URL is PostgreSQL 17.6; PostgreSQL 18 or newer is needed. Upgrade that server, or name another.',
    );
  });
});
