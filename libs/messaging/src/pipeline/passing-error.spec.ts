import { TransientFault, UserFault } from '@carbon/faults';
import { NotAccepted, OutcomeUnknown } from '../publish/publish-errors.js';
import { MaskedError } from './masked-error.js';
import { isPassing } from './passing-error.js';

const coded = (code: string) => Object.assign(new Error('failed'), { code });
const named = (name: string) => Object.assign(new Error('failed'), { name });

describe('an error that passes', () => {
  it.each([
    ['a transient fault', new TransientFault('service_unavailable', 'Away.')],
    ['a publish that was not accepted', new NotAccepted('full')],
    ['a publish of unknown outcome', new OutcomeUnknown()],
    ['an error hidden by a filter', new MaskedError({})],
    ['a refused connection', coded('ECONNREFUSED')],
    ['a time-out of fetch', coded('UND_ERR_CONNECT_TIMEOUT')],
    ['a serialization failure', coded('40001')],
    ['a full disk', coded('53100')],
    ['an unavailable lock', coded('55P03')],
    ['a cancelled statement', coded('57014')],
    ['a lost connection of pg', new Error('Connection terminated unexpectedly')],
    ['a lost connection of the search engine', named('NoLivingConnectionsError')],
    ['anything of kafkajs', named('KafkaJSNumberOfRetriesExceeded')],
    ['a wrapped one', new Error('query failed', { cause: coded('ECONNRESET') })],
    ["one in TypeORM's hands", Object.assign(new Error('query failed'), { driverError: coded('57P01') })],
    ['one for several addresses', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
  ])('is %s', (_what, error) => {
    expect(isPassing(error)).toBe(true);
  });

  it.each([
    ['a bug', new TypeError('x is not a function')],
    ['a caller’s fault', new UserFault('invalid_request', 'No.')],
    ['a broken constraint', coded('23505')],
    ['a value out of range', coded('22003')],
    ['an unknown column', coded('42703')],
    ['no error at all', { status: 'error' }],
  ])('is not %s', (_what, error) => {
    expect(isPassing(error)).toBe(false);
  });

  it('is found in a chain that bites its own tail', () => {
    const error = new Error('round');
    error.cause = error;
    expect(isPassing(error)).toBe(false);
  });
});
