import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { frozen, programOf, ROOT, run } from './checkout.js';
import { ENVIRONMENT } from './environment.js';
import { withoutProse } from './frozen/without-prose.js';
import { type Client, eventually } from './testing/client.js';
import { System } from './testing/system.js';

/** The address of the service in the pages. */
const PRINTED = 'localhost:3000';
const page = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** Returns the code blocks of a page in one language. */
const blocksOf = (path: string, language: string): string[] =>
  [...page(path).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

let system: System;
let api: Client;
beforeAll(async () => {
  system = await System.start();
  api = system.client;
}, 300_000);
afterAll(() => system.stop(), 60_000);

/** Types commands into a shell, each of which must succeed, and returns their output. */
async function typed(commands: string): Promise<string> {
  const cli = `${execPath} ${programOf('cli')
    .map((word) => join(ROOT, word))
    .join(' ')}`;
  const script = commands.replaceAll(PRINTED, new URL(api.url).host).replaceAll(/npm run (--silent )?cli --/g, cli);
  const env = { ...ENVIRONMENT, GATEWAY_URL: api.url, API_KEY: '' };
  return (await promisify(execFile)('sh', ['-e', '-c', script], { cwd: system.dir, env, timeout: 240_000 })).stdout;
}

describe('the commands on a page', () => {
  it.each([
    ['README.md', 5],
    ['docs/criteria.md', 3],
    ['docs/search.md', 5],
    ['docs/listing-offsets.md', 5],
  ])('%s print the documented output', async (path, atLeast) => {
    const commands = blocksOf(path, 'sh')
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.startsWith('curl'));
    expect(commands.length).toBeGreaterThanOrEqual(atLeast);
    const printed = await typed(commands.map((line) => `${line} -w '\\nSTATUS %{http_code}\\n'`).join('\n'));
    const statuses = [...printed.matchAll(/^STATUS (\d+)$/gm)].map(([, status]) => Number(status));
    const expected = (line: string) => (line.includes('tiker') ? 400 : line.includes('{"kgCO2e"') ? 202 : 200);
    expect(statuses).toEqual(commands.map(expected));
  });

  it('docs/offsets.md work one after the other, with the documented responses', async () => {
    const commands = blocksOf('docs/offsets.md', 'sh').join('');
    const curl = `curl() { command curl "$@" -o body -w '%{http_code}' >status || return; (cat status; echo " $(cat body | tr -d '\\r\\n')") >>all; cat body; }`;
    const printed = await typed(`${curl}\n${commands}\necho; echo ANSWERS; cat all`);
    const answers = (printed.split('\nANSWERS\n')[1] ?? '').trim().split('\n');
    expect(answers.map((line) => Number(line.slice(0, 3)))).toEqual([202, 202, 422, 200, 201, 200, 202, 200]);
    const [first = '', again = '', , read = '', estimate, same, onEstimate, receipt = ''] = answers.map((line) =>
      line.slice(4),
    );
    const [id = ''] = /off_[0-9a-z]{26}/.exec(first) ?? [];
    expect(first).toContain('HTTP/1.1 202');
    for (const answer of [again, read, receipt]) expect(answer).toContain(id);
    expect([same, onEstimate]).toEqual([estimate, expect.stringContaining('queued for processing')]);
    const [accepted] = blocksOf('docs/offsets.md', 'json').map((block) => JSON.parse(block));
    expect(JSON.parse(again).message.replace(id, '')).toBe(accepted.message.replace(/off_[0-9a-z]{26}/, ''));
  });

  it('docs/cli.md work one after the other', async () => {
    const blocks = blocksOf('docs/cli.md', 'sh').filter((block) => /npm run (--silent )?cli --/.test(block));
    expect(blocks).toHaveLength(4);
    const printed = await typed(blocks.join('\n'));
    expect(printed).toContain('"status": "completed"');
    expect(printed).toContain('"ticker":"BCT"');
  });
});

interface Example {
  readonly 'x-request': {
    readonly method: string;
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  };
  readonly value: { readonly instance?: string };
}

function* examplesIn(part: unknown): Generator<Example> {
  if (typeof part !== 'object' || part === null) return;
  if ('x-request' in part) yield part as Example;
  for (const inner of Object.values(part)) yield* examplesIn(inner);
}

describe('the examples of docs/openapi.json', () => {
  const examples = [...examplesIn(JSON.parse(page('docs/openapi.json')))];

  it('are real responses', async () => {
    expect(examples.length).toBeGreaterThan(5);
    const answered = await Promise.all(
      examples.map(async ({ 'x-request': { path, ...question } }) => (await api.ask(path, question)).body),
    );
    // Ids differ in every response.
    expect(answered.map((body, at) => ({ ...Object(body), instance: examples[at]?.value.instance }))).toEqual(
      examples.map(({ value }) => ({ ...Object(value), instance: value.instance })),
    );
  });
});

/**
 * Runs an example of the client's page in a separate process; prints the output of each `console.log` in the order of
 * the page.
 */
const RUNNER = `
const [, , client, code] = process.argv;
const { format } = await import('node:util');
const printed = [];
const print = (place, ...values) => { printed[place] = [printed[place], format(...values)].filter(Boolean).join(' '); };
const AsyncFunction = (async () => {}).constructor;
await new AsyncFunction('client', 'print', code)(await import(client), print);
console.log(JSON.stringify(printed));
`;

describe('the examples of libs/client/README.md', () => {
  const examples = blocksOf('libs/client/README.md', 'ts');
  const PRINTS = /console\.log\(([\s\S]*?)\);(?: \/\/ (.*))?$/gm;
  const saidIn = (code: string) => [...code.matchAll(PRINTS)].map(([, , said]) => said);

  it('all contain the output that they print', () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    expect(examples.filter((code) => saidIn(code).every((said) => said === undefined))).toEqual([]);
  });

  it.each(examples.map((code, at) => [at + 1, code] as const))('print it: example %i', async (_, code) => {
    const runner = join(system.dir, 'runner.mjs');
    writeFileSync(runner, RUNNER);
    let place = 0;
    const script = code
      .replace(/^import \{(.*)\} from '@carbon\/client';$/m, 'const {$1} = client;')
      .replaceAll(`http://${PRINTED}`, api.url)
      // The page about offsets has used this key for a different request.
      .replaceAll('order-1042', 'order-1042-again')
      .replaceAll('console.log(', () => `print(${place++}, `);
    const client = pathToFileURL(join(ROOT, 'libs/client/dist/index.js')).href;
    const { out, err } = await run([runner, client, script], { PATH: ENVIRONMENT.PATH, NO_COLOR: '1' });
    if (out === '') throw new Error(err);
    const printed = JSON.parse(out) as (string | null)[];
    expect(saidIn(code).map((said, at) => (said === undefined ? said : printed[at]))).toEqual(saidIn(code));
  });

  it('compile in strict mode, also with the browser’s types only', async () => {
    const files = examples.map((code, at) => ({ name: `example-${at + 1}.ts`, code }));
    for (const { name, code } of files) writeFileSync(join(system.dir, name), code);
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, types: [] },
      ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom'] },
      paths: { '@carbon/client': [join(ROOT, 'libs/client/dist/index.d.ts')] },
    };
    writeFileSync(
      join(system.dir, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: files.map(({ name }) => name) }),
    );
    const compiler = join(ROOT, 'node_modules/ts7/bin/tsc');
    expect(await run([compiler, '-p', system.dir], { PATH: ENVIRONMENT.PATH })).toMatchObject({ code: 0, out: '' });
  });
});

describe('an operator', () => {
  it('sees at each app whether it is alive and ready, including what the gateway needs', async () => {
    for (const name of ['GATEWAY_URL', 'OFFSETS_URL', 'CATALOG_URL']) {
      const at = async (path: string) => (await fetch(`${system.environment[name]}${path}`)).json();
      expect(await at('/health/live')).toEqual({ state: 'live' });
      await eventually(async () => expect(await at('/health/ready')).toMatchObject({ state: 'ready' }));
    }
    await system.ready();
    expect(await api.get('/health/ready')).toEqual({
      state: 'ready',
      dependencies: { kafka: 'up', offsets: 'up', catalog: 'up' },
    });
  });

  it('finds every metric of the runbook and the alerts, with values that match the test’s requests', async () => {
    const texts = await Promise.all(
      ['GATEWAY_URL', 'OFFSETS_URL', 'CATALOG_URL'].map(async (name) =>
        (await fetch(`${system.environment[name]}/metrics`)).text(),
      ),
    );
    const exposed = new Set([...texts.join('\n').matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const pages = ['infra/prometheus/alerts.yml', 'docs/runbook.md', 'docs/metrics.md'].map(page).join('\n');
    const named = [...pages.matchAll(/\b(?:carbon|process|nodejs)_[a-z0-9_]+[a-z0-9]\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(100);
    const missing = named.filter(
      (name) => !exposed.has(name) && !exposed.has(name.replace(/_(bucket|sum|count)$/, '')),
    );
    expect([...new Set(missing)]).toEqual([]);
    for (const done of [/^carbon_gateway_offsets_accepted_total.* [1-9]/m, /^carbon_offsets_recorded_total.* [1-9]/m])
      expect(texts.join('\n')).toMatch(done);
    expect(texts.join('\n')).toMatch(/^carbon_offsets_settled_duration_seconds_count\{.*completed.*\} [1-9]/m);
  });

  it('gets the frozen OpenAPI description, the documentation page and the problem pages', async () => {
    const answer = await api.ask('/openapi.json');
    expect(withoutProse(answer.body)).toEqual(frozen('openapi.json'));
    expect(await api.ask('/openapi.json', { headers: { 'if-none-match': answer.headers.etag ?? '' } })).toMatchObject({
      status: 304,
    });
    for (const path of ['/docs', '/problems', '/problems/invalid_request'])
      expect(await api.ask(path)).toMatchObject({ status: 200 });
    expect(await api.ask('/problems/none')).toMatchObject({ status: 404 });
  });
});
