import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDir } from '@carbon/local';
import { eventually } from '@carbon/testing';
import { type Dispatcher, Pool } from 'undici';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const KEYS = resolve(import.meta.dirname, '../../tools/keys/dist/cli.js');
const PROBES = 1_000;
const AT_A_TIME = 16;
const OFFSETS = 20;

interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: string;
}

interface Question {
  readonly method?: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

let folder: Awaited<ReturnType<typeof temporaryDir>>;
let app: TestSystem;
let pool: Pool;
let victim: string;
let thief: string;

/** Makes a key as people do. */
async function keyOf(account: string): Promise<string> {
  const args = [
    'create',
    '--raw',
    '--plan',
    'unlimited',
    '--account',
    account,
    '--file',
    join(folder.dir, 'keys.json'),
  ];
  return (await promisify(execFile)(process.execPath, [KEYS, ...args])).stdout.trim();
}

async function ask(key: string, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${key}`, ...type, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
}

/** Asks one question after the other, several at a time, and gives the answers in their order. */
async function askAll(key: string, questions: readonly Question[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const rest = questions.entries();
  const work = async () => {
    for (const [at, question] of rest) answers[at] = await ask(key, question);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return answers;
}

/** An answer as a stranger could compare it with another: without the request's own id, and without the time. */
function seen({ status, headers, body }: Answer): string {
  const { 'x-request-id': id = '', date: _, ...rest } = headers;
  return JSON.stringify({ status, rest, body: body.replace(String(id), '') });
}

const probes = <T>(things: readonly T[], question: (thing: T, nth: number) => Question): Question[] =>
  Array.from({ length: PROBES }, (_, nth) => question(things[nth % things.length] as T, nth));
const idIn = (message: string) => /(off|est)_[0-9a-z]{26}/.exec(message)?.[0] ?? '';
const unknownId = (prefix: string) =>
  `${prefix}_${[...randomBytes(26)].map((byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte % 32]).join('')}`;

/** What the victim has. */
const keys = Array.from({ length: OFFSETS }, (_, nth) => `order-${nth}`);
const offsets: string[] = [];
const estimates: string[] = [];

beforeAll(async () => {
  folder = await temporaryDir();
  [victim, thief] = [await keyOf('victim'), await keyOf('thief')];
  const environment = { API_KEYS_FILE: join(folder.dir, 'keys.json') };
  app = await systemOnSharedEngines({ apps: { gateway: { environment } } });
  pool = new Pool(app.system.urls.gateway, { connections: AT_A_TIME });
  for (const [nth, key] of keys.entries()) {
    const estimate = await ask(victim, { method: 'POST', path: '/v1/estimates', body: { kgCO2e: 1 } });
    expect(estimate.status).toBe(201);
    estimates.push(idIn(estimate.body));
    const body = { kgCO2e: 1, customerRef: `secret-${nth}`, ...(nth === 0 && { estimateId: estimates[0] }) };
    const headers: Record<string, string> = nth % 2 === 0 ? { 'idempotency-key': key } : {};
    offsets.push(idIn((await ask(victim, { method: 'POST', path: '/v1/offsets', headers, body })).body));
  }
  await eventually(
    async () => {
      const { body } = await ask(victim, { path: '/v1/offsets?status=completed&limit=100' });
      expect((JSON.parse(body) as object[]).length).toBe(OFFSETS);
    },
    { within: 30_000 },
  );
}, 120_000);
afterAll(async () => {
  await pool.close();
  await app.stop();
  folder.remove();
}, 60_000);

describe('1,000 probes of what belongs to another account', () => {
  it.each([
    ['/v1/offsets?id=', 'off'],
    ['/v1/retirements?offset=', 'off'],
    ['/v1/estimates?id=', 'est'],
  ])('are answered at %s as those of ids that were never issued, byte for byte', async (path, prefix) => {
    const known = prefix === 'off' ? offsets : estimates;
    for (const answer of await askAll(
      victim,
      known.map((id) => ({ path: path + id })),
    ))
      expect(answer.status).toBe(200);
    const unknown = await askAll(
      thief,
      probes([0], () => ({ path: path + unknownId(prefix) })),
    );
    const foreign = await askAll(
      thief,
      probes(known, (id) => ({ path: path + id })),
    );
    expect(foreign[0]).toMatchObject({ status: 404, body: expect.stringContaining('"not_found"') });
    expect([...new Set(foreign.map(seen))]).toEqual([seen(unknown[0] as Answer)]);
    expect([...new Set(unknown.map(seen))]).toEqual([seen(unknown[0] as Answer)]);
  });

  it('find nothing in the list, by any parameter, and no cursor leads there', async () => {
    const queries = [
      '',
      ...keys.map((_, nth) => `customerRef=secret-${nth}`),
      ...estimates.map((id) => `estimateId=${id}`),
    ];
    queries.push('status=completed', 'createdFrom=2020-01-01T00:00:00Z', 'limit=100');
    const answers = await askAll(
      thief,
      probes(queries, (query) => ({ path: `/v1/offsets?${query}` })),
    );
    expect([...new Set(answers.map(seen))]).toEqual([seen(answers[0] as Answer)]);
    expect(answers[0]).toMatchObject({ status: 200, body: '[]' });
    expect(answers[0]?.headers.link).toBeUndefined();
    const { headers } = await ask(victim, { path: '/v1/offsets?limit=5' });
    const next = /<([^>]+)>/.exec(String(headers.link))?.[1] ?? '';
    expect((await ask(victim, { path: next })).status).toBe(200);
    expect(await ask(thief, { path: next })).toMatchObject({
      status: 400,
      body: expect.stringContaining('"invalid_cursor"'),
    });
  });

  it('under its idempotency keys, and its ids as keys, make offsets of one’s own and say nothing of its', async () => {
    const used = [...keys, ...offsets];
    const answers = await askAll(
      thief,
      probes(used, (key, nth) => ({
        method: 'POST',
        path: '/v1/offsets',
        headers: { 'idempotency-key': key },
        body: { kgCO2e: 0.5, customerRef: `mine-${nth % used.length}` },
      })),
    );
    const made = new Set(answers.map(({ body }) => idIn(body)));
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([202]);
    expect(made.size).toBe(used.length);
    expect(offsets.filter((id) => made.has(id))).toEqual([]);
    for (const answer of answers.slice(0, used.length)) expect(answer.headers['idempotency-replayed']).toBeUndefined();
    const { body } = await ask(victim, { path: '/v1/offsets?limit=100' });
    expect((JSON.parse(body) as { id: string }[]).map(({ id }) => id).sort()).toEqual([...offsets].sort());
  });

  it('for its estimates make offsets that fail as those of no estimate do', async () => {
    const named = [...estimates, unknownId('est'), 'no estimate at all'];
    const ids = await Promise.all(
      named.map(async (estimateId) => {
        const body = { kgCO2e: 1, estimateId };
        return idIn((await ask(thief, { method: 'POST', path: '/v1/offsets', body })).body);
      }),
    );
    const failures = await Promise.all(
      ids.map((id) =>
        eventually(async () => {
          const record = JSON.parse((await ask(thief, { path: `/v1/offsets?id=${id}` })).body);
          expect(record.status).toBe('failed');
          return JSON.stringify(record.failure);
        }),
      ),
    );
    expect(new Set(failures).size).toBe(1);
    expect(failures[0]).toContain('estimate_not_found');
  });

  it('make estimates of one’s own, which the other does not see', async () => {
    const ask1 = { method: 'POST', path: '/v1/estimates', body: { kgCO2e: 1 } } as const;
    const made = (
      await askAll(
        thief,
        probes([0], () => ask1),
      )
    ).map(({ body }) => idIn(body));
    expect(new Set(made).size).toBe(PROBES);
    expect(estimates.filter((id) => made.includes(id))).toEqual([]);
    expect((await ask(victim, { path: `/v1/estimates?id=${made[0]}` })).status).toBe(404);
  });

  it.each(['pools', 'projects'])(
    'see the same %s, for these belong to nobody, but no cursor of another’s walk',
    async (kind) => {
      const path = `/v1/assets/${kind}?criteria=&fullTextSearch=&limit=2`;
      const mine = await ask(victim, { path });
      const answers = await askAll(
        thief,
        probes([0], () => ({ path })),
      );
      expect([...new Set(answers.map(({ status, body }) => `${status} ${body}`))]).toEqual([`200 ${mine.body}`]);
      const next = /<([^>]+)>/.exec(String(mine.headers.link))?.[1] ?? '';
      expect(await ask(thief, { path: next })).toMatchObject({
        status: 400,
        body: expect.stringContaining('"invalid_cursor"'),
      });
    },
  );
});

describe('a key that is revoked by the command', () => {
  it('is refused within 5 s, while the others go on', async () => {
    const path = '/v1/offsets?limit=1';
    expect((await ask(thief, { path })).status).toBe(200);
    const args = ['revoke', thief, '--file', join(folder.dir, 'keys.json')];
    await promisify(execFile)(process.execPath, [KEYS, ...args]);
    await eventually(async () => expect((await ask(thief, { path })).status).toBe(401), { within: 5_000 });
    expect((await ask(victim, { path })).status).toBe(200);
  });
});
