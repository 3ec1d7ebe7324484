import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const PAGES = ['docs/criteria.md', 'docs/search.md', 'docs/listing-offsets.md'] as const;
/** Where the pages say the service is; it stands elsewhere in a test. */
const PRINTED = 'localhost:3000';

/** The commands that a page tells its reader to type. */
function commandsOf(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
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
