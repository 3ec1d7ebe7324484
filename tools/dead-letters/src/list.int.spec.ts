import { deadLetterTopic } from '@carbon/contracts';
import { request, requestMessage } from './test-messages.js';
import { TestOffice } from './test-office.js';

const TOPIC = 'offset.requested';

/** Every run of the command is a process of its own that joins groups of its own. */
const PATIENCE_MS = 180_000;

describe('dead-letters list', () => {
  let office: TestOffice;
  beforeAll(async () => {
    office = await TestOffice.create();
    office.consume(TOPIC, async ({ messages }) =>
      messages.flatMap(({ position, key }) =>
        key.startsWith('off_conflict') ? [{ position, code: 'idempotency_conflict', detail: '' }] : [],
      ),
    );
    await office.giveUp(TOPIC, requestMessage('off_1', '{"id"'));
    await office.giveUp(TOPIC, requestMessage('off_2', '[1]'));
    await office.giveUp(TOPIC, requestMessage('off_conflict', request()));
    await office.giveUp(TOPIC, requestMessage('off_\u001b[2J\u202e\n4', '?'));
  });
  afterAll(() => office.remove());

  it('tells of each where it lies, when, where it came from, why, from whom, after how many attempts, and its key', async () => {
    const { code, out } = await office.run(['list', '--topic', TOPIC]);
    expect(code).toBe(0);
    const [first = '', second = '', third = ''] = out.split('\n');
    expect(first).toMatch(
      /^offset\.requested:0 +\d{4}-\d\d-\d\dT[\d:.]+Z +invalid_json +from offset\.requested\/\d+:\d+ +by offset\.requested\.reader +attempts 0 +key off_1$/,
    );
    expect(second).toMatch(/^offset\.requested:1 .* invalid_data .* key off_2$/);
    expect(third).toMatch(/^offset\.requested:2 .* idempotency_conflict .* attempts 1 +key off_conflict$/);
  });

  it('counts them by topic and reason, on standard error', async () => {
    const { err } = await office.run(['list']);
    expect(err.trim().split('\n')).toEqual([
      'offset.requested: 4 (invalid_json 2, idempotency_conflict 1, invalid_data 1)',
      'offset.completed: no letters',
      'offset.failed: no letters',
      'asset.published: no letters',
    ]);
  });

  it('gives programs a line of JSON for each', async () => {
    const { out } = await office.run(['list', '--json', '--topic', deadLetterTopic(TOPIC)]);
    const lines = out
      .trim()
      .split('\n')
      .map((line): object => JSON.parse(line));
    expect(lines).toHaveLength(4);
    expect(lines[2]).toEqual({
      place: 'offset.requested:2',
      at: expect.stringMatching(/Z$/),
      appendedAt: expect.stringMatching(/Z$/),
      reason: 'idempotency_conflict',
      original: { topic: TOPIC, partition: expect.any(Number), position: expect.stringMatching(/^\d+$/) },
      handler: 'offset.requested.reader',
      attempts: 1,
      firstFailedAt: expect.stringMatching(/Z$/),
      key: 'off_conflict',
      bytes: expect.any(Number),
    });
  });

  it('shows what would move a terminal’s cursor as what it is', async () => {
    const { out } = await office.run(['list']);
    expect(out).toContain('key off_\\u{1b}[2J\\u{202e}\\u{a}4');
    expect(out.trim().split('\n')).toHaveLength(4);
  });

  it(
    'keeps to a reason and to a time',
    async () => {
      expect((await office.run(['list', '--reason', 'invalid_data'])).out.trim().split('\n')).toHaveLength(1);
      const all = (await office.run(['list', '--json'])).out.trim().split('\n');
      const { at } = JSON.parse(all[2] ?? '') as { at: string };
      expect((await office.run(['list', '--json', '--since', at])).out.trim().split('\n')).toEqual(all.slice(2));
      expect((await office.run(['list', '--since', '1h'])).out.trim().split('\n')).toHaveLength(4);
      expect((await office.run(['list', '--since', '2999-01-01T00:00:00Z'])).out).toBe('');
    },
    PATIENCE_MS,
  );

  it.each([
    [['list', '--topic', 'offset.unknown']],
    [['list', '--since', 'yesterday']],
    [['list', '--since', '2026-01-01T00:00:00']],
    [['list', 'offset.requested:1']],
    [['frobnicate']],
    [['show']],
    [['show', '17']],
    [['show', 'offset.requested:-1']],
    [['replay']],
    [['replay', '--all']],
    [['replay', 'offset.requested:0', '--all', '--reason', 'invalid_json']],
    [['replay', 'offset.requested:0', '--reason', 'invalid_json']],
    [['replay', 'offset.requested:0', 'offset.requested:1', '--key', 'k']],
    [['replay', 'offset.requested:0', '--value', 'there-is-no-such-file']],
  ])('says that %j is wrong, and ends with 2', async (args) => {
    const { code, out, err } = await office.run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
    expect(err).not.toContain('    at ');
  });

  it('helps, and ends with 0', async () => {
    const { code, out } = await office.run(['replay', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('--value <file>');
  });

  it('ends with 75 when Kafka does not answer, and says what to do', async () => {
    const { code, err } = await office.run(['list'], {
      environment: { KAFKA_BROKERS: '127.0.0.1:1', ENGINE_WAIT_MS: '0' },
    });
    expect(code).toBe(75);
    expect(err).toMatch(/^Kafka at 127\.0\.0\.1:1 cannot be .* Is it running/);
  });

  it('ends with 1 when the topics are not there, and says how they are made', async () => {
    const { code, err } = await office.run(['list'], { environment: { TOPIC_PREFIX: 'there-are-none-' } });
    expect(code).toBe(1);
    expect(err).toContain('npm run topics');
  });
});

describe('dead-letters list of very many', () => {
  const COUNT = 50_000;
  let office: TestOffice;
  beforeAll(async () => {
    office = await TestOffice.create();
    const headers = { 'x-reason-code': 'invalid_data', 'x-partition': '3', 'x-handler': 'offsets.requests' };
    for (let start = 0; start < COUNT; start += 5_000) {
      const some = Array.from({ length: 5_000 }, (_, n) => ({
        key: `off_${start + n}`,
        value: 'x'.repeat(100),
        headers: { ...headers, 'x-position': String(start + n) },
      }));
      await office.send(deadLetterTopic(TOPIC), ...some);
    }
  }, PATIENCE_MS);
  afterAll(() => office.remove());

  it(
    'prints each once, in bounded memory',
    async () => {
      const { code, out, err } = await office.run(['list', '--topic', TOPIC], {
        // Where it is used nothing is kept of what node compiles, which would take memory as well.
        environment: { NODE_OPTIONS: '--max-old-space-size=48', NODE_DISABLE_COMPILE_CACHE: '1' },
      });
      expect({ code, err: err.trim().split('\n').at(-1) }).toEqual({
        code: 0,
        err: 'offset.requested: 50000 (invalid_data 50000)',
      });
      const keys = out
        .trim()
        .split('\n')
        .map((line) => line.slice(line.lastIndexOf(' ') + 1));
      expect(keys).toHaveLength(COUNT);
      expect(new Set(keys).size).toBe(COUNT);
    },
    PATIENCE_MS,
  );
});
