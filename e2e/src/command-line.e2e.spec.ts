import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '@carbon/config';
import { offsetView } from '@carbon/contracts';
import { type TemporaryDir, temporaryDir } from '@carbon/local';
import { type Ran, type Running, runBuilt } from './command.js';
import { blocksOf, pageAt } from './pages.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const CLI = 'tools/cli/dist/cli.js';
const KEYS = 'tools/keys/dist/cli.js';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CLI_FILE = resolve(import.meta.dirname, '../..', CLI);
const PAGE = pageAt('docs/cli.md');

/** What a page tells to type of this command, block by block; it is built here, and what npm says of it is not wanted. */
function typedIn(page: string): string[] {
  const ours = blocksOf(page, 'sh').filter((block) => /npm run (--silent )?cli --/.test(block));
  return ours.map((block) => block.replaceAll(/npm run (--silent )?cli --/g, `node ${CLI_FILE}`));
}

let folder: TemporaryDir;
let file: string;
let app: TestSystem;
let key: string;

/** Works on the key file as people do. */
async function keys(...args: string[]): Promise<string> {
  const { code, out, err } = await runBuilt(KEYS, [...args, '--file', file], {});
  if (code !== 0) throw new Error(err);
  return out.trim();
}

/** The command line as a program runs it. */
function cli(args: readonly string[], environment: Record<string, string> = {}, running?: Running): Promise<Ran> {
  return runBuilt(CLI, args, { GATEWAY_URL: app.system.urls.gateway, API_KEY: key, ...environment }, running);
}

const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  folder = await temporaryDir();
  file = join(folder.dir, 'keys.json');
  await keys('plan', 'slow', '--per-second', '2', '--burst', '2');
  key = await keys('create', '--raw', '--account', 'one');
  app = await systemOnSharedEngines({ apps: { gateway: { environment: { API_KEYS_FILE: file } } } });
}, 120_000);
afterAll(async () => {
  await app.stop();
  folder.remove();
});

describe('an offset from the command line', () => {
  it('is accepted, once under one key, and followed to its end', async () => {
    const first = await cli(['offset', '1234.5', '--ref', 'u-1']);
    expect(first).toMatchObject({ code: 0, err: '' });
    const accepted = JSON.parse(first.out);
    expect(accepted).toMatchObject({ replayed: false, idempotencyKey: expect.stringMatching(UUID) });

    const wish = ['offset', '1234.5', '--ref', 'u-1', '--idempotency-key', accepted.idempotencyKey];
    const again = await cli([...wish, '--wait']);
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('accepted before, under the same key') });
    const offset = offsetView.parse(JSON.parse(again.out));
    expect(offset).toMatchObject({ id: accepted.id, status: 'completed', customerRef: 'u-1', creditsMatched: 1.2345 });

    expect(JSON.parse((await cli(['show', offset.id])).out)).toEqual(offset);
    const receipt = JSON.parse((await cli(['receipt', offset.id])).out);
    expect(receipt).toMatchObject({ offset: offset.id, entries: [{ credits: 1.2345 }] });
    expect(await cli(['offset', '5', '--idempotency-key', accepted.idempotencyKey])).toMatchObject({
      code: 1,
      out: '',
    });
  });

  it('may be made on an estimate; that it failed is the exit code of who waited', async () => {
    const estimate = JSON.parse((await cli(['estimate', '2500'])).out);
    expect(JSON.parse((await cli(['show', estimate.id])).out)).toEqual(estimate);
    const good = await cli(['offset', '2500', '--estimate', estimate.id, '--wait']);
    expect([good.code, JSON.parse(good.out).cost]).toEqual([0, estimate.cost]);
    const used = await cli(['offset', '2500', '--estimate', estimate.id, '--wait']);
    expect([used.code, JSON.parse(used.out).failure.code]).toEqual([1, 'estimate_used']);
    expect((await cli(['show', JSON.parse(used.out).id])).code).toBe(0);
  });

  it('is listed, a line of JSON each, no more than wanted and with a word that there are more', async () => {
    const all = await cli(['offsets', '--all']);
    expect(all).toMatchObject({ code: 0, err: '' });
    const listed = lines(all.out);
    const two = await cli(['offsets', '--limit', '2']);
    expect(lines(two.out)).toEqual(listed.slice(0, 2));
    expect(two.err).toBe('2 shown and there are more; --all shows every one.\n');
    const failed = await cli(['offsets', '--status', 'failed', '--from', '1h', '--to', '2100-01-01']);
    expect(lines(failed.out)).toEqual(listed.filter((one) => offsetView.parse(one).status === 'failed'));
    expect(await cli(['offsets', '--ref', 'nobody'])).toEqual({
      code: 0,
      signal: null,
      out: '',
      err: 'There is no such offset.\n',
    });
  });

  it('goes on when the command is ended: it says so, and dies of the signal', async () => {
    await app.system.part('offsets').kill('SIGSTOP');
    try {
      let told = false;
      const ended = await cli(
        ['offset', '6', '--wait'],
        {},
        {
          onOutput: ({ err }, command) => {
            if (!told && err.includes('queued for processing')) command.end('SIGINT');
            told ||= err.includes('queued for processing');
          },
        },
      );
      expect(ended).toMatchObject({ signal: 'SIGINT', out: '' });
      const [, id = ''] = /`show (off_[0-9a-z]{26}) --wait` waits again/.exec(ended.err) ?? [];
      const late = await cli(['show', id, '--wait', '--within', '1']);
      expect(late).toMatchObject({ code: 75, out: '', err: expect.stringContaining('has not ended within 1 s') });
      await app.system.part('offsets').kill('SIGCONT');
      expect(JSON.parse((await cli(['show', id, '--wait'])).out)).toMatchObject({ id, status: 'completed' });
    } finally {
      await app.system.part('offsets').kill('SIGCONT');
    }
  });
});

describe('a search from the command line', () => {
  it('prints a line of JSON for each, with the fields of the API or those that are named', async () => {
    const pools = await cli([
      'pools',
      'source: TOUCAN and ticker in (BCT, NCT)',
      '--sort',
      'ticker',
      '--fields',
      'ticker,id',
    ]);
    expect(lines(pools.out)).toEqual([
      { id: 'pool_bct', ticker: 'BCT' },
      { id: expect.any(String), ticker: 'NCT' },
    ]);
    const some = await cli(['projects', 'country: Brazil', '--text', 'forest', '--limit', '1']);
    expect(lines(some.out)).toEqual([expect.objectContaining({ source: expect.any(String) })]);
    expect(some.err).toMatch(/^1 shown of \d+; --all shows every one\.\n$/);
    const schema = JSON.parse((await cli(['schema', 'pools'])).out);
    expect(schema).toMatchObject({
      total: 7,
      fields: expect.arrayContaining([expect.objectContaining({ name: 'ticker' })]),
    });
  });

  it('prints every one of many pages, and ends well when its reader has seen enough', async () => {
    const all = await cli(['projects', '--all']);
    expect(lines(all.out)).toHaveLength(231 + 58);
    const left = await cli(['projects', '--all'], {}, { onOutput: (_, command) => command.leave() });
    expect(left).toMatchObject({ code: 0, err: '' });
  });

  it('shows where the criteria are wrong, each mistake with carets below it', async () => {
    const wrong = await cli(['pools', 'source: TOUCAN and tiker: BCT and rating: high']);
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(PAGE).toContain((await cli(['pools', 'source: TOUCAN and tiker: BCT'])).err);
    expect(wrong.err.split('\n').slice(0, 7)).toEqual([
      'The criteria cannot be understood:',
      '  source: TOUCAN and tiker: BCT and rating: high',
      '                     ^^^^^',
      expect.stringContaining('tiker'),
      expect.stringContaining('ticker'),
      '  source: TOUCAN and tiker: BCT and rating: high',
      '                                            ^^^^',
    ]);
  });

  it('says every mistake by what was typed', async () => {
    const { code, err } = await cli(['projects', '--sort', 'prce', '--fields', 'nam']);
    expect(code).toBe(1);
    expect(err).toMatch(/--sort: .*did you mean price\?\n {2}--fields: .*did you mean name\?/);
  });
});

describe.each([
  { name: 'docs/cli.md', page: PAGE, blocks: 4 },
  { name: 'README.md', page: pageAt('README.md'), blocks: 1 },
])('$name', ({ page, blocks }) => {
  it('has commands that work as printed, one after the other', async () => {
    const typed = typedIn(page);
    expect(typed).toHaveLength(blocks);
    const env = { ...inheritedEnvironment(), GATEWAY_URL: app.system.urls.gateway, API_KEY: key };
    const { stdout } = await promisify(execFile)('sh', ['-e', '-c', typed.join('\n')], { cwd: folder.dir, env });
    expect(stdout).toContain('"status": "completed"');
    expect(stdout).toContain('"ticker":"BCT"');
  });
});

describe('who may not', () => {
  it('is told so, and the key is not repeated', async () => {
    const typo = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const [none, wrong] = await Promise.all([cli(['offsets'], { API_KEY: '' }), cli(['offsets'], { API_KEY: typo })]);
    expect(none).toMatchObject({ code: 77, out: '', err: expect.stringContaining('Set API_KEY') });
    expect(wrong).toMatchObject({ code: 77, out: '', err: expect.stringContaining('mistyped, expired or revoked') });
    for (const secret of [key, typo]) expect(wrong.err).not.toContain(secret);
  });

  it('sees nothing of another account', async () => {
    const other = await keys('create', '--raw', '--account', 'two', '--scopes', 'offsets:read', '--plan', 'slow');
    const asOther = { API_KEY: other };
    const [mine] = lines((await cli(['offsets', '--limit', '1'])).out) as { id: string }[];
    const seen = await untilTaken(() => cli(['show', mine?.id ?? ''], asOther));
    expect(seen).toMatchObject({ code: 1, out: '', err: 'There is no offset with this id.\n' });
    // The plan lets two a second through: the command waits as it is told to, and is not refused.
    const reads = await Promise.all([1, 2, 3].map(() => cli(['offsets'], asOther)));
    expect(reads.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await cli(['offset', '1'], asOther)).toMatchObject({ code: 77, out: '' });
  });
});

/** A key is known to the gateway within five seconds of being made. */
async function untilTaken(run: () => Promise<Ran>): Promise<Ran> {
  let ran = await run();
  for (let tries = 0; tries < 20 && ran.err.includes('does not take the key'); tries++) ran = await run();
  return ran;
}
