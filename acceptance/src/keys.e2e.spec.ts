import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programOf, type Ran, run } from './checkout.js';
import { ENVIRONMENT } from './environment.js';
import { type Client, eventually, idOf, nextOf, type Offset } from './testing/client.js';
import { System } from './testing/system.js';

let system: System;
let open: Client;
let victim: Client;
let thief: Client;
/** The arguments that create the key of each account. */
const ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  victim: ['--plan', 'unlimited'],
  thief: ['--plan', 'unlimited'],
  slow: ['--plan', 'slow'],
  writer: ['--scopes', 'offsets:write'],
  reader: ['--scopes', 'offsets:read'],
  searcher: ['--scopes', 'assets:read'],
};
const key: Record<string, string> = {};
const folder = mkdtempSync(join(tmpdir(), 'acceptance-keys-'));
const file = join(folder, 'keys.json');

/** Runs the command `keys` as people do. */
async function keys(...args: string[]): Promise<string> {
  const { code, out, err } = await run([...programOf('keys'), ...args], { ...ENVIRONMENT, API_KEYS_FILE: file });
  if (code !== 0) throw new Error(err);
  return out.trim();
}
const created = (account: string, ...more: string[]) => keys('create', '--raw', '--account', account, ...more);
const lines = (text: string) => JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`);
const bearer = (text = '') => ({ authorization: `Bearer ${text}` });
const as = (account: string) => open.with(bearer(key[account]));
/** The key of the first account with its last character changed. */
const typo = () => `${key.victim?.slice(0, -1)}${key.victim?.endsWith('0') ? 1 : 0}`;

beforeAll(async () => {
  await keys('plan', 'slow', '--per-second', '2', '--burst', '4');
  for (const [account, more] of Object.entries(ACCOUNTS)) key[account] = await created(account, ...more);
  system = await System.start({ API_KEYS_FILE: file });
  open = system.client;
  [victim, thief] = [as('victim'), as('thief')];
}, 300_000);
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

/** A key is accepted, and refused after it is revoked, within five seconds. */
const soon = (check: () => Promise<void>) => eventually(check, 30_000);

describe('a request', () => {
  it.each<[string, () => Record<string, string>, number]>([
    ['no key', () => ({}), 401],
    ['an unknown key', () => bearer(`cl_live_${'0'.repeat(12)}_${'0'.repeat(49)}`), 401],
    ['a key with a typo', () => bearer(typo()), 401],
    ['another scheme', () => ({ authorization: `Basic ${key.victim}` }), 401],
    ['two keys', () => ({ ...bearer(key.victim), 'x-api-key': String(key.thief) }), 401],
    ['its key as a bearer', () => bearer(key.victim), 200],
    ['its key in a header of its own', () => ({ 'x-api-key': String(key.victim) }), 200],
    ['its key twice', () => ({ ...bearer(key.victim), 'x-api-key': String(key.victim) }), 200],
  ])('with %s', async (_, headers, status) => {
    const answer = await open.ask('/v1/offsets', { headers: headers() });
    const challenge = status === 401 ? 'Bearer' : undefined;
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([status, challenge]);
  });

  it('needs no key for public routes, and a key in the URL is ignored', async () => {
    for (const path of ['/health/ready', '/openapi.json', '/docs', '/problems'])
      expect(await open.ask(path)).toMatchObject({ status: 200 });
    expect(await open.ask(`/v1/offsets?api_key=${key.victim}`)).toMatchObject({ status: 401 });
  });

  it.each([
    ['writer', [202, 403, 201, 403, 403, 403, 403, 403, 403]],
    ['reader', [403, 200, 403, 404, 404, 403, 403, 403, 403]],
    ['searcher', [403, 403, 403, 403, 403, 200, 200, 200, 200]],
  ])('is allowed what the scope of the %s permits, and nothing else', async (account, expected) => {
    const client = as(account);
    const unknown = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;
    const answers = [
      await client.post({ kgCO2e: 1 }),
      await client.ask('/v1/offsets'),
      await client.post({ kgCO2e: 1 }, undefined, '/v1/estimates'),
      await client.ask(`/v1/estimates?id=${unknown('est')}`),
      await client.ask(`/v1/retirements?offset=${unknown('off')}`),
      await client.ask('/v1/assets/schema'),
      await client.ask('/v1/assets/hints?kind=pools&criteria=&fullTextSearch='),
      await client.ask('/v1/assets/facets?kind=pools&criteria=&fullTextSearch='),
      await client.ask('/v1/assets/complete?kind=pools&criteria='),
    ];
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });

  it('gets 429 above its plan’s limit, with the time until a retry', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => as('slow').ask('/v1/offsets?limit=1')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(5);
    expect(refused[0]).toMatchObject({
      body: { code: 'rate_limited' },
      headers: {
        'ratelimit-policy': '"slow";q=4;w=2',
        ratelimit: expect.stringMatching(/^"slow";r=0;t=\d+$/),
        'retry-after': expect.stringMatching(/^\d+$/),
      },
    });
    expect((await victim.ask('/v1/offsets')).headers.ratelimit).toBeUndefined();
  });
});

describe('a resource of another account', () => {
  const offsets: string[] = [];
  let estimate: string;

  beforeAll(async () => {
    estimate = (await victim.estimate(1)).id;
    for (const nth of [0, 1, 2])
      offsets.push((await victim.settled({ kgCO2e: 1, customerRef: `secret-${nth}` }, `order-${nth}`)).id);
  }, 120_000);

  /** Returns the parts of a response that a client could compare. */
  const seen = ({ status, headers, body }: Awaited<ReturnType<Client['ask']>>) => {
    const { date: _, 'x-request-id': id = '', ...rest } = headers;
    return JSON.stringify([status, rest, body]).replaceAll(id, '');
  };

  it('gets the same response, byte for byte, as an id that was never issued', async () => {
    for (const [path, prefix, ids] of [
      ['/v1/offsets?id=', 'off', offsets],
      ['/v1/retirements?offset=', 'off', offsets],
      ['/v1/estimates?id=', 'est', [estimate]],
    ] as const) {
      const unknown = seen(await thief.ask(`${path}${prefix}_${'7'.repeat(26)}`));
      for (const id of ids) {
        expect(await victim.ask(path + id)).toMatchObject({ status: 200 });
        expect(seen(await thief.ask(path + id))).toBe(unknown);
      }
    }
  });

  it('is in no list, with any filter, and no cursor leads to it', async () => {
    for (const query of ['', 'customerRef=secret-0', `estimateId=${estimate}`, 'status=completed'])
      expect(await thief.ask(`/v1/offsets?${query}`)).toMatchObject({ status: 200, body: [] });
    for (const path of ['/v1/offsets?limit=2', '/v1/assets/pools?criteria=&fullTextSearch=&limit=2']) {
      const next = nextOf((await victim.ask(path)).headers) ?? '';
      expect(await victim.ask(next)).toMatchObject({ status: 200 });
      expect(await thief.ask(next)).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    }
  });

  it('cannot be read by its idempotency keys, ids or estimates', async () => {
    for (const used of ['order-0', 'order-1', ...offsets]) {
      const answer = await thief.post({ kgCO2e: 0.5 }, used);
      expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([202, undefined]);
      expect(offsets).not.toContain(idOf(answer));
    }
    const [foreign, ...unknown] = await Promise.all(
      [estimate, `est_${'7'.repeat(26)}`].map((estimateId) => thief.post({ kgCO2e: 1, estimateId })),
    );
    const refused = { status: 400, body: { errors: [{ field: 'estimateId', code: 'invalid_field' }] } };
    expect(foreign).toMatchObject(refused);
    expect(unknown.map(seen)).toEqual([foreign].flatMap((answer) => (answer ? [seen(answer)] : [])));
    expect((await victim.get<Offset[]>('/v1/offsets')).map(({ id }) => id).sort()).toEqual([...offsets].sort());
  });
});

describe('the command keys', () => {
  it('lists keys without their secrets, and rotates and revokes one within five seconds', async () => {
    const first = await created('rotated', '--name', 'web shop', '--expires', '90d');
    const [listed] = lines(await keys('list', '--account', 'rotated'));
    expect(listed).toMatchObject({ account: 'rotated', name: 'web shop' });
    expect(JSON.stringify(listed)).not.toContain(first.slice(21));
    const second = await keys('rotate', listed.id, '--raw');
    const answers = async () =>
      await Promise.all([first, second].map(async (one) => (await open.with(bearer(one)).ask('/v1/offsets')).status));
    await soon(async () => expect(await answers()).toEqual([200, 200]));
    await keys('revoke', first);
    await soon(async () => expect(await answers()).toEqual([401, 200]));
    expect(lines(await keys('plans'))).toContainEqual({ name: 'slow', limit: { perSecond: 2, burst: 4 } });
  });
});

describe('the command line for clients', () => {
  const cli = (args: string[], API_KEY = key.victim, seen?: Parameters<typeof run>[2]): Promise<Ran> => {
    return run([...programOf('cli'), ...args], { ...ENVIRONMENT, GATEWAY_URL: open.url, API_KEY, NO_COLOR: '1' }, seen);
  };

  it('creates one offset per idempotency key, with an estimate, and shows and lists the outcome', async () => {
    const estimate = JSON.parse((await cli(['estimate', '2500'])).out);
    expect(JSON.parse((await cli(['show', estimate.id])).out)).toEqual(estimate);
    const order = ['offset', '2500', '--estimate', estimate.id, '--ref', 'u-1', '--wait'];
    const first = await cli([...order, '--idempotency-key', 'cli-1']);
    const offset = JSON.parse(first.out);
    expect([first.code, offset]).toMatchObject([0, { status: 'completed', customerRef: 'u-1', cost: estimate.cost }]);
    const again = await cli([...order, '--idempotency-key', 'cli-1']);
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('already accepted') });
    expect(await cli(['offset', '5', '--idempotency-key', 'cli-1'])).toMatchObject({ code: 1, out: '' });
    const used = await cli(order);
    expect([used.code, JSON.parse(used.out).failure.code]).toEqual([1, 'estimate_used']);
    const receipt = JSON.parse((await cli(['receipt', offset.id])).out);
    expect(receipt).toMatchObject({ offset: offset.id, entries: [{ credits: 2.5 }] });
    const two = await cli(['offsets', '--limit', '2']);
    expect([lines(two.out).length, two.err]).toEqual([2, '2 shown and there are more; --all shows every one.\n']);
    const failed = lines((await cli(['offsets', '--status', 'failed', '--from', '1h', '--all'])).out);
    expect(failed).toEqual([JSON.parse(used.out)]);
  });

  it('searches, fetches every page on request, and shows the position of an error in criteria', async () => {
    const pools = await cli(['pools', 'ticker in (BCT, NCT)', '--sort', 'ticker', '--fields', 'id']);
    expect(lines(pools.out)).toEqual([{ id: 'pool_bct' }, { id: 'pool_nct' }]);
    expect(lines((await cli(['projects', '--all'])).out)).toHaveLength(231 + 58);
    const carets = expect.stringContaining('\n                     ^^^^^\n');
    expect(await cli(['pools', 'source: TOUCAN and tiker: BCT'])).toMatchObject({ code: 1, out: '', err: carets });
  });

  it('exits by the signal that ends it, and the offset is still processed', async () => {
    system.signal('offsets', 'SIGSTOP');
    try {
      const ended = await cli(['offset', '6', '--wait'], key.victim, ({ err }, kill) => {
        if (err.includes('queued for processing')) kill('SIGINT');
      });
      expect(ended).toMatchObject({ code: 'SIGINT', out: '' });
      const [, id = ''] = /`show (off_[0-9a-z]{26}) --wait` waits again/.exec(ended.err) ?? [];
      expect(await cli(['show', id, '--wait', '--within', '1'])).toMatchObject({ code: 75, out: '' });
      system.signal('offsets', 'SIGCONT');
      expect(JSON.parse((await cli(['show', id, '--wait'])).out)).toMatchObject({ id, status: 'completed' });
    } finally {
      system.signal('offsets', 'SIGCONT');
    }
  });

  it('names the rejected key’s account or scope, and does not print the key', async () => {
    const [mine] = lines((await cli(['offsets', '--limit', '1'])).out);
    const unknown = { code: 1, err: 'There is no offset with this id.\n' };
    expect(await cli(['show', mine.id], key.thief)).toMatchObject(unknown);
    expect(await cli(['offsets'], '')).toMatchObject({ code: 77, err: expect.stringContaining('Set API_KEY') });
    expect(await cli(['offsets'], typo())).toMatchObject({ code: 77, err: expect.not.stringContaining(typo()) });
  });
});
