import { asset, ndjson, TestLibrary } from './test-library.js';

const LINES = 40_000;
const description = 'A project that says a little about itself – as most of them do. '.repeat(32);
/**
 * Less than the texts alone take as strings (two bytes a character: over 160 MB); the program itself takes over 30.
 * A list holds a run to be sorted besides what is being read.
 */
const HEAP_MB = { publish: 64, list: 128 };
/** What is not heap is the program, buffers, and 60 bytes an asset. */
const MOST_MEMORY_MB = 320;
/** The most memory that the process ever took, in KB, as the last line of standard error. */
const TELL = "process.on('exit',()=>process.stderr.write(process.resourceUsage().maxRSS+'\\n'))";
const environment = (heapMb: number) => ({
  // Where it is used there is none, and what it keeps takes memory.
  NODE_DISABLE_COMPILE_CACHE: '1',
  NODE_OPTIONS: `--max-old-space-size=${heapMb} --import=data:text/javascript,${encodeURIComponent(TELL)}`,
});

describe('a file of 40,000 lines', () => {
  let library: TestLibrary;
  beforeAll(async () => {
    library = await TestLibrary.create();
  });
  afterAll(() => library.remove());

  it('is published, compared and listed in bounded memory', async () => {
    const assets = Array.from({ length: LINES }, (_, n) => asset(LINES - 1 - n, { description }));
    const path = await library.file(ndjson(...assets));
    const run = async (command: keyof typeof HEAP_MB, ...args: string[]) => {
      const { code, out, err } = await library.run([command, ...args], { environment: environment(HEAP_MB[command]) });
      const [result, memory] = ['', ...err.trimEnd().split('\n')].slice(-2);
      return { code, out, result, withinBounds: Number(memory) / 1024 < MOST_MEMORY_MB || err };
    };
    const done = { code: 0, withinBounds: true };

    const first = await run('publish', path);
    expect(first).toMatchObject({ ...done, result: `published ${LINES}, unchanged 0, invalid 0` });
    const second = await run('publish', path);
    expect(second).toMatchObject({ ...done, result: `published 0, unchanged ${LINES}, invalid 0` });
    expect(await library.sent()).toBe(LINES);

    const { out, ...listed } = await run('list');
    expect(listed).toMatchObject(done);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(LINES);
    expect(lines.every((line, n) => JSON.parse(line).id === asset(n).id)).toBe(true);
  }, 600_000);
});
