import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DescribedApi } from '@carbon/testing';
import { request } from 'undici';
import { type Asked, DESCRIBED_ANSWERS, DESCRIBED_REQUESTS } from './described.js';
import { blocksOf, pageAt } from './pages.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const PAGES = ['docs/criteria.md', 'docs/search.md', 'docs/listing-offsets.md'] as const;
/** Where the pages say the service is; it stands elsewhere in a test. */
const PRINTED = 'localhost:3000';

/** The commands that a page tells its reader to type. */
function commandsOf(page: string): string[] {
  const blocks = blocksOf(pageAt(page), 'sh');
  return blocks.flatMap((block) => block.split('\n')).filter((line) => line !== '');
}

const COMMANDS = PAGES.flatMap((page) => commandsOf(page).map((command) => ({ page, command })));

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines();
}, 120_000);
afterAll(() => app.stop());

describe('the commands in the documents', () => {
  it('are there', () => {
    expect(COMMANDS.length).toBeGreaterThan(8);
  });

  it.each(COMMANDS)('work as printed in $page: $command', async ({ command }) => {
    expect(command).toContain(PRINTED);
    const typed = `${command.replaceAll(PRINTED, new URL(app.system.urls.gateway).host)} -w '\\n%{http_code}'`;
    const { stdout } = await promisify(execFile)('sh', ['-c', typed], { timeout: 20_000 });
    const expected = command.includes('tiker') ? 400 : 200;
    expect(stdout.slice(stdout.lastIndexOf('\n') + 1)).toBe(String(expected));
  });
});

const api = new DescribedApi();

/** The answer, which must be as described. */
async function ask({ method, path, headers, body }: Asked) {
  const answer = await request(`${app.system.urls.gateway}${path}`, { method, headers, body } as Parameters<
    typeof request
  >[1]);
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  api.requireDescribed({ method, path, status: answer.statusCode, headers: answer.headers, body: bytes });
  return { status: answer.statusCode, text: bytes.toString('utf8') };
}

describe('the examples in the description of the API', () => {
  it.each(DESCRIBED_ANSWERS)('are what is answered: $summary', async (example) => {
    const { text } = await ask(example['x-request']);
    const { instance } = example.value as { instance?: string };
    const answered = JSON.parse(text);
    expect(instance === undefined ? answered : { ...answered, instance }).toEqual(example.value);
  });

  it.each(DESCRIBED_REQUESTS)('are requests that are answered as described: $id', async ({ asked }) => {
    const { status } = await ask(asked);
    // The ids in the examples were given elsewhere; everything else is there.
    expect([asked.path, status]).toEqual([asked.path, /\bid=|offset=/.test(asked.path) ? 404 : expect.any(Number)]);
    expect(status < 300 || status === 404).toBe(true);
  });
});
