import { RequestError, TransientError } from '@carbon/http';
import type { MessageHandler } from '@nestjs/microservices';
import { EMPTY, of, throwError } from 'rxjs';
import { PartitionRevoked } from '../consume/partition-ownership.js';
import { SILENT } from '../kafka/log.js';
import { NotPublished, PublishOutcomeUnknown } from '../publish/publisher.js';
import { decodedMessage, runOf } from '../testing/pipeline.js';
import { type HandleBatch, invokeHandler, isTransient, MaskedError, RETRY_POLICY, retry } from './retry.js';

const AWAY = new TransientError('service_unavailable', 'Away.');

describe('retry', () => {
  const messages = (count: number) => Array.from({ length: count }, (_, n) => decodedMessage(n));
  const through = async (handle: HandleBatch, run = runOf({ messages: messages(8) })) => {
    return { run, after: await retry(handle, RETRY_POLICY, SILENT)(run) };
  };
  const refusing = (...bad: bigint[]) => {
    const done: bigint[] = [];
    const tried: bigint[][] = [];
    const handle: HandleBatch = async (batch) => {
      const positions = batch.messages.map(({ position }) => position);
      tried.push(positions);
      if (positions.some((position) => bad.includes(position))) throw new Error('cannot');
      done.push(...positions);
      return [];
    };
    return { handle, done, tried };
  };

  it('calls the handler once with all messages, and never with none', async () => {
    const { handle, tried } = refusing();
    await through(handle);
    await through(handle, runOf());
    expect(tried).toEqual([[0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n]]);
  });

  it('bisects the batch to its one bad message, tries it three times alone, and handles the others once, in order', async () => {
    const { handle, done, tried } = refusing(5n);
    const { run, after } = await through(handle);
    expect(done).toEqual([0n, 1n, 2n, 3n, 4n, 6n, 7n]);
    expect(tried.filter((positions) => positions.length === 1 && positions[0] === 5n)).toHaveLength(3);
    expect(after.deadLetters).toEqual([
      expect.objectContaining({ code: 'handler_failed', attempts: 6, firstFailedAt: expect.any(Date) }),
    ]);
    expect(after.deadLetters[0]?.raw.offset).toBe('5');
    expect(run.sleeps).toHaveLength(2);
  });

  it('dead-letters all when all are bad', async () => {
    const { handle } = refusing(0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n);
    const { after } = await through(handle);
    expect(after.deadLetters.map(({ raw }) => raw.offset)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });

  it('retries without end during an outage, with growing delays, and dead-letters nothing', async () => {
    let calls = 0;
    const { run, after } = await through(async () => {
      calls += 1;
      if (calls <= 50) throw AWAY;
      return [];
    });
    expect(calls).toBe(51);
    expect(after.deadLetters).toEqual([]);
    expect(run.sleeps).toHaveLength(50);
    expect(Math.max(...run.sleeps)).toBeLessThanOrEqual(RETRY_POLICY.outage.maxMs);
    expect(run.sleeps.at(-1)).toBeGreaterThan(run.sleeps[0] ?? 0);
  });

  it('does not count an outage against a message', async () => {
    let calls = 0;
    const { after } = await through(
      async () => {
        calls += 1;
        throw calls % 2 === 1 ? AWAY : new Error('cannot');
      },
      runOf({ messages: messages(1) }),
    );
    expect(after.deadLetters[0]?.attempts).toBe(3);
  });

  it('dead-letters what the handler rejects, and no position it was not given', async () => {
    const { after } = await through(async () => [
      { position: 2n, code: 'not_ours', detail: 'of another account' },
      { position: 99n, code: 'not_ours', detail: 'never given' },
    ]);
    expect(after.deadLetters.map(({ raw, code }) => [raw.offset, code])).toEqual([['2', 'not_ours']]);
  });

  it('stops at once when the partition is revoked', async () => {
    let calls = 0;
    let isLost = false;
    const check = () => {
      if (isLost) throw new PartitionRevoked();
    };
    const sleep = async () => {
      isLost = true;
      check();
    };
    const failing = through(
      async () => {
        calls += 1;
        throw AWAY;
      },
      runOf({ messages: messages(2), ownership: { ...runOf().ownership, check, sleep } }),
    );
    await expect(failing).rejects.toThrow(PartitionRevoked);
    expect(calls).toBe(1);
  });
});

describe('calling a handler', () => {
  const batch = { topic: 'offset.requested', partition: 0, messages: [] } as const;
  const calling = (answer: () => unknown) => invokeHandler((async () => answer()) as MessageHandler, batch);
  const rejected = [{ position: 3n, code: 'not_ours', detail: 'of another account' }];
  const error = new Error('no');
  const failing = () => {
    throw error;
  };

  it.each([
    ['nothing for all done', () => undefined, []],
    ['an empty stream for all done', () => EMPTY, []],
    ['something that is no list for all done', () => 42, []],
    ['a list for the rejected', () => rejected, rejected],
    ['a stream of a list for the rejected', () => of(rejected), rejected],
  ])('takes %s', async (_what, answer, expected) => {
    await expect(calling(answer)).resolves.toEqual(expected);
  });

  it('throws for a list of something else', async () => {
    await expect(calling(() => [{ position: 3, code: 'Not ours' }])).rejects.toThrow();
  });

  it('rethrows an error unchanged, and reports one that a filter replaced', async () => {
    await expect(calling(failing)).rejects.toBe(error);
    await expect(calling(() => throwError(() => error))).rejects.toBe(error);
    const masked = { status: 'error', message: 'Internal server error' };
    await expect(calling(() => throwError(() => masked))).rejects.toThrow(MaskedError);
  });
});

describe('a transient error', () => {
  const coded = (code: string) => Object.assign(new Error('failed'), { code });
  const errorNamed = (name: string) => Object.assign(new Error('failed'), { name });
  const circular = new Error('round');
  circular.cause = circular;

  it.each([
    ['a transient error', AWAY],
    ['a publish that was not accepted', new NotPublished('full')],
    ['a publish of unknown outcome', new PublishOutcomeUnknown()],
    ['an error hidden by a filter', new MaskedError({})],
    ['a refused connection', coded('ECONNREFUSED')],
    ['a time-out of fetch', coded('UND_ERR_CONNECT_TIMEOUT')],
    ['a serialization failure', coded('40001')],
    ['a full disk', coded('53100')],
    ['an unavailable lock', coded('55P03')],
    ['a cancelled statement', coded('57014')],
    ['a lost connection of pg', new Error('Connection terminated unexpectedly')],
    ['a lost connection of the search engine', errorNamed('NoLivingConnectionsError')],
    ['anything of kafkajs', errorNamed('KafkaJSNumberOfRetriesExceeded')],
    ['a wrapped one', new Error('query failed', { cause: coded('ECONNRESET') })],
    ["one in TypeORM's hands", Object.assign(new Error('query failed'), { driverError: coded('57P01') })],
    ['one for several addresses', new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
  ])('is %s', (_what, passing) => expect(isTransient(passing)).toBe(true));

  it.each([
    ['a bug', new TypeError('x is not a function')],
    ['a caller’s error', new RequestError('invalid_request', 'No.')],
    ['a broken constraint', coded('23505')],
    ['a value out of range', coded('22003')],
    ['an unknown column', coded('42703')],
    ['no error at all', { status: 'error' }],
    ['a chain that bites its own tail', circular],
  ])('is not %s', (_what, lasting) => expect(isTransient(lasting)).toBe(false));
});
