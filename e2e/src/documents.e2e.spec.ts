import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { acceptedMessage, estimateView, offsetView, queuedOffsetView } from '@carbon/contracts';
import { DescribedApi } from '@carbon/testing';
import { request } from 'undici';
import { type Asked, DESCRIBED_ANSWERS, DESCRIBED_REQUESTS } from './described.js';
import { blocksOf, pageAt } from './pages.js';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const PAGES = ['docs/criteria.md', 'docs/search.md', 'docs/listing-offsets.md'] as const;
const OFFSETS_PAGE = pageAt('docs/offsets.md');
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

const blocks = (language: string) => blocksOf(OFFSETS_PAGE, language);

/** Tells the status and the body of each call beside what the page makes of them. */
const PRELUDE = `
curl() {
  command curl "$@" -o "$ANSWERS/body" -w '%{http_code}' >"$ANSWERS/status" || return
  printf '%s %s\\n' "$(cat "$ANSWERS/status")" "$(tr -d '\\r\\n' <"$ANSWERS/body")" >>"$ANSWERS/all"
  cat "$ANSWERS/body"
}
`;

/** Types all that the page tells to type, from top to bottom; gives each answer's status and body. */
async function typed(gateway: string): Promise<{ status: number; body: string }[]> {
  const script = [
    'ANSWERS=$(mktemp -d)',
    PRELUDE,
    ...blocks('sh').map((block) => block.replaceAll(PRINTED, new URL(gateway).host)),
    'echo; echo ANSWERS; cat "$ANSWERS/all"; rm -r "$ANSWERS"',
  ].join('\n');
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script], { timeout: 60_000 });
  const [, answers = ''] = stdout.split('\nANSWERS\n');
  return answers
    .trim()
    .split('\n')
    .map((line) => ({ status: Number(line.slice(0, 3)), body: line.slice(4) }));
}

describe('docs/offsets.md', () => {
  it('shows answers as the API gives them', () => {
    const [accepted, recorded, queued, failed, estimated, ...others] = blocks('json').map((block): unknown =>
      JSON.parse(block),
    );
    const { id, ...offset } = offsetView.parse(recorded);
    expect(accepted).toEqual(acceptedMessage(id));
    expect(queuedOffsetView.parse(queued)).toEqual({ id, status: 'queued' });
    expect(offset.cost).toBe(offset.retirements.reduce((sum, { cost }) => sum + cost, 0));
    expect(offsetView.parse(failed)).toMatchObject({ status: 'failed', creditsMatched: 0, retirements: [] });
    const { cost, credits, allocations } = estimateView.parse(estimated);
    expect(allocations).toEqual([expect.objectContaining({ cost, credits })]);
    expect(others).toEqual([]);
  });

  it('has examples that work as printed, one after the other', async () => {
    const answers = await typed(app.system.urls.gateway);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 422, 200, 201, 200, 202, 200]);
    const [first, again, , read, estimate, sameEstimate, onEstimate, receipt] = answers.map(({ body }) => body);
    const [id = ''] = /off_[0-9a-z]{26}/.exec(again ?? '') ?? [];
    expect(first).toContain('HTTP/1.1 202');
    expect(first).toContain(JSON.stringify(acceptedMessage(id)));
    expect(again).toBe(JSON.stringify(acceptedMessage(id)));
    expect(JSON.parse(read ?? '')).toMatchObject({ id });
    expect(JSON.parse(sameEstimate ?? '')).toEqual(JSON.parse(estimate ?? ''));
    expect(onEstimate).toContain('queued for processing');
    expect(JSON.parse(receipt ?? '')).toMatchObject({ offset: id });
  });
});
