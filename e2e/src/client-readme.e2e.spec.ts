import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, promisify } from 'node:util';
import * as client from '@carbon/client';
import { temporaryDir } from '@carbon/local';
import { systemOnSharedEngines, type TestSystem } from './system.js';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const README = readFileSync(join(CHECKOUT, 'libs/client/README.md'), 'utf8');
const EXAMPLES = [...README.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
/** How every example calls the service. */
const SERVICE = "'http://localhost:3000'";
const PRINTS = /console\.log\(([\s\S]*?)\);(?: \/\/ (.*))?$/gm;

let app: TestSystem;
beforeAll(async () => {
  app = await systemOnSharedEngines();
}, 120_000);
afterAll(() => app.stop());

/** What an example says that each of its `console.log` prints, in order; of some it says nothing. */
function saidIn(code: string): (string | undefined)[] {
  return [...code.matchAll(PRINTS)].map(([, , said]) => said);
}

/** Runs an example as it stands, and gives what each of its `console.log` printed; one in a loop prints on one line. */
async function printedBy(code: string): Promise<(string | undefined)[]> {
  const printed: (string | undefined)[] = saidIn(code).map(() => undefined);
  const print = (place: number, ...values: unknown[]) => {
    printed[place] = [printed[place], format(...values)].filter(Boolean).join(' ');
  };
  let place = 0;
  const script = code
    .replace(/^import \{(.*)\} from '@carbon\/client';$/m, 'const {$1} = client;')
    .replaceAll(SERVICE, `'${app.system.urls.gateway}'`)
    .replaceAll('console.log(', () => `print(${place++}, `);
  const AsyncFunction = printedBy.constructor as new (...words: string[]) => (...given: unknown[]) => Promise<void>;
  await new AsyncFunction('client', 'print', script)(client, print);
  return printed;
}

describe('the page of the client', () => {
  it('has examples, which all say what they print', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(8);
    expect(EXAMPLES.filter((code) => saidIn(code).every((said) => said === undefined))).toEqual([]);
  });

  it.each(
    EXAMPLES.map((code, place) => [
      place + 1,
      code
        .split('\n')
        .find((line) => /await /.test(line))
        ?.trim(),
      code,
    ]),
  )('prints in example %i what it says: %s', async (_, _line, code = '') => {
    const printed = await printedBy(`${code}`);
    expect(printed).toEqual(saidIn(`${code}`).map((said, at) => said ?? printed[at]));
  });

  it('has examples that a strict compiler takes, also where only a browser is', async () => {
    const folder = await temporaryDir();
    try {
      const files = EXAMPLES.map((code, place) => ({ name: `example-${place + 1}.ts`, code }));
      for (const { name, code } of files) writeFileSync(join(folder.dir, name), code);
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        paths: { '@carbon/client': [join(CHECKOUT, 'libs/client/dist/index.d.ts')] },
      };
      const settings = { compilerOptions, files: files.map(({ name }) => name) };
      writeFileSync(join(folder.dir, 'tsconfig.json'), JSON.stringify(settings));
      const compiler = join(CHECKOUT, 'node_modules/ts7/bin/tsc');
      const run = promisify(execFile)(process.execPath, [compiler, '-p', folder.dir]);
      expect(await run.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: '' });
    } finally {
      folder.remove();
    }
  });
});
