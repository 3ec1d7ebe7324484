import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { BatchedLogStream, RateLimitedLog } from './log-streams.js';
import { createLogger } from './logger.js';
import { NestLogger } from './nest-logger.js';
import { createContext, runInContext } from './request-context.js';

function record(level = 'trace') {
  const lines: string[] = [];
  const logger = createLogger({ app: 'test', level, stream: { write: (line: string) => void lines.push(line) } });
  const last = () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown>;
  return { logger, nest: new NestLogger(logger), lines, last };
}

describe('createLogger', () => {
  it('writes one JSON object a line: time, level, app and message', () => {
    const { logger, last } = record();
    logger.info({ topic: 'offset.requested', position: 12n }, 'Batch recorded');
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      app: 'test',
      topic: 'offset.requested',
      position: '12',
      message: 'Batch recorded',
    });
  });

  it('drops unknown fields and logs their names', () => {
    const { logger, lines, last } = record();
    logger.info({ count: 1, body: { customerRef: 'u-1' }, authorization: 'Bearer k', customerRef: 'u-1' }, 'x');
    expect(last()).toMatchObject({ count: 1, dropped: ['body', 'authorization', 'customerRef'] });
    expect(lines.join()).not.toMatch(/u-1|Bearer/);
  });

  it('logs the name, message, code, stack and causes of an error, and no other property', () => {
    const { logger, lines, last } = record();
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new TypeError('cannot insert', { cause }), { query: 'INSERT', parameters: ['u-1'] });
    logger.error({ err: error }, 'x');
    expect(last().err).toEqual({
      type: 'TypeError',
      message: 'cannot insert',
      stack: expect.stringContaining('logging.spec'),
      cause: { type: 'Error', message: 'refused', code: 'ECONNREFUSED', stack: expect.any(String) },
    });
    expect(lines.join()).not.toMatch(/INSERT|u-1/);
  });

  it('escapes line breaks, so that no input forges a line', () => {
    const { logger, lines } = record();
    logger.info({ id: 'a\r\n{"level":"fatal"}' }, 'b\n{"level":"fatal"}');
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  });

  it('replaces the secret of a key by an ellipsis and keeps its public id', () => {
    const { logger, lines } = record();
    const key = 'cl_live_2b4cd6ef8h0k_9kLmN0pQrS';
    logger.info({ path: `/v1/${key}`, err: new Error(`no ${key} here`) }, 'x');
    expect(lines.join()).toContain('/v1/cl_live_2b4cd6ef8h0k_…');
    expect(lines.join()).not.toContain('9kLmN0pQrS');
  });

  it('truncates long texts', () => {
    const { logger, last } = record();
    logger.info({ reason: 'x'.repeat(5_000) }, 'x');
    expect(String(last().reason)).toHaveLength(1_001);
  });

  it('adds the ids of the current request and trace', async () => {
    const { logger, last } = record();
    const context = createContext('r-1');
    await runInContext(context, async () => {
      await Promise.resolve();
      logger.info('x');
    });
    expect(last()).toMatchObject({ requestId: 'r-1', traceId: context.traceId });
    logger.info('y');
    expect(last()).not.toHaveProperty('requestId');
  });
});

describe('NestLogger', () => {
  it('logs objects as fields, errors as err, and the name of the logger as part', () => {
    const { nest, last } = record();
    nest.warn('Cannot publish', new Error('away'), { attempt: 2 }, 'announce');
    const common = { part: 'announce', err: expect.objectContaining({ message: 'away' }) };
    expect(last()).toMatchObject({ ...common, level: 'warn', message: 'Cannot publish', attempt: 2 });
    nest.error(new Error('away'), undefined, 'announce');
    expect(last()).toMatchObject({ ...common, level: 'error', message: 'away' });
  });

  it('logs the start-up messages of Nest at debug', () => {
    const { nest, lines } = record('info');
    nest.log('Mapped {/v1/offsets, POST} route', 'RouterExplorer');
    expect(lines).toEqual([]);
    nest.error('Cannot resolve', 'RouterExplorer');
    expect(lines).toHaveLength(1);
  });
});

describe('BatchedLogStream', () => {
  const batched = () => {
    const writes: string[] = [];
    const written = new PassThrough();
    let flushes = 0;
    const flushSync = () => {
      flushes += 1;
    };
    const write = (text: string) => {
      writes.push(text);
      written.write('.');
    };
    return { lines: new BatchedLogStream({ write, flushSync }), writes, written, flushes: () => flushes };
  };

  it('writes many lines in few batches, each line once and in order, and the rest on flushSync', () => {
    const { lines, writes, flushes } = batched();
    const all = Array.from({ length: 3_000 }, (_, n) => `${'x'.repeat(20)} ${n}\n`);
    for (const line of all) lines.write(line);
    expect(writes.length).toBeGreaterThan(1);
    expect(writes.length).toBeLessThan(10);
    lines.flushSync();
    expect(writes.join('')).toBe(all.join(''));
    expect(flushes()).toBe(1);
  });

  it('writes few lines after a short delay', async () => {
    const { lines, writes, written } = batched();
    lines.write('a\n');
    lines.write('b\n');
    expect(writes).toEqual([]);
    await once(written, 'data');
    lines.write('c\n');
    await once(written, 'data');
    expect(writes).toEqual(['a\nb\n', 'c\n']);
  });
});

it('RateLimitedLog writes its maximum a second, reports the number of the others, and starts over in the next second', async () => {
  const written: number[] = [];
  const rest = await new Promise<number>((resolve) => {
    const lines = new RateLimitedLog(2, (more) => {
      lines.write(() => written.push(99));
      resolve(more);
    });
    for (let n = 0; n < 7; n += 1) lines.write(() => written.push(n));
  });
  expect([written, rest]).toEqual([[0, 1, 99], 5]);
});
