import { fork } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { withMutants } from './mutate.mjs';

const HELP = `Usage: node acceptance/mutants/score.mjs SOURCES [options]

Makes small mutants of a folder of sources, such as libs/criteria/src, and counts how many its unit specs notice. A copy of
the workspace holds all mutants at once; each is asked for by its number, and only the specs that reach it run.
Prints a JSON line for each mutant that survived, and a summary.

Options:
  --root DIR       the checkout, built (default: this one)
  --sample N       so many mutants, drawn by --seed (default: all)
  --seed N         (default: 14)
  --specs PATTERN  only specs whose path this regular expression matches
  --without PATTERN  no specs whose path this matches, such as hostile|linear-time
  --out FILE       JSON lines of all mutants
  --help           this text`;

const WORKER = 'worker';
const UNIT_SPEC = /(?<!\.int|\.e2e|\.slow)\.spec\.ts$/;
/** A worker never frees its modules, so it is replaced after this many runs. */
const RUNS_OF_A_WORKER = 60;
const MIN_MS = 10_000;
/** How many times longer than without a mutant a spec may take; a longer run counts as endless. */
const TIMEOUT_FACTOR = 5;

/** In the worker: runs one spec with one mutant; -1 is none. */
async function work({ root, folder }) {
  const { runCLI } = await import(pathToFileURL(join(root, 'node_modules/jest/build/index.mjs')).href);
  const { default: settings } = await import(pathToFileURL(join(root, 'jest.config.mjs')).href);
  const { displayName: _, testPathIgnorePatterns: __, modulePathIgnorePatterns: ___, ...unit } = settings.projects[0];
  const setupFilesAfterEnv = [join(folder, 'setup.mjs')];
  process.on('message', async ({ spec, active }) => {
    const config = { ...unit, rootDir: folder, testTimeout: 60_000, setupFilesAfterEnv, globals: { __active: active } };
    const run = { runTestsByPath: true, runInBand: true, silent: true, reporters: [], config: JSON.stringify(config) };
    const { results } = await runCLI({ _: [spec], $0: '', ...run }, [folder]);
    const [result] = results.testResults;
    const first = result?.testResults.find(({ status }) => status === 'failed')?.fullName;
    process.send({ isGreen: results.success, by: first ?? result?.failureMessage?.slice(0, 200) });
  });
  process.send('ready');
}

/** The specs, and the worker that runs them. */
class Specs {
  constructor(settings) {
    this.settings = settings;
    this.runs = 0;
  }

  async run(spec, active, limitMs) {
    if (this.worker === undefined || this.runs >= RUNS_OF_A_WORKER) await this.renew();
    this.runs += 1;
    const { worker } = this;
    return new Promise((done) => {
      const timer = setTimeout(() => end({ isGreen: false, by: 'the time-out' }), limitMs);
      const end = (result) => {
        clearTimeout(timer);
        worker.removeAllListeners();
        if (result.by === 'the time-out' || !worker.connected) this.close();
        done(result);
      };
      worker.once('message', end);
      worker.once('exit', () => end({ isGreen: false, by: 'the end of the process' }));
      worker.send({ spec, active });
    });
  }

  async renew() {
    this.close();
    const flags = ['--experimental-vm-modules', '--no-warnings'];
    this.worker = fork(import.meta.filename, [WORKER, JSON.stringify(this.settings)], {
      execPath: join(this.settings.root, 'node_modules/node/bin/node'),
      execArgv: flags,
    });
    this.runs = 0;
    await new Promise((ready) => this.worker.once('message', ready));
  }

  close() {
    this.worker?.kill('SIGKILL');
    this.worker = undefined;
  }
}

/** A copy of the workspace in the checkout, so that packages are found, with all mutants inserted. */
function prepared(root, sources) {
  const workspace = sources.split('/').slice(0, 2).join('/');
  const folder = join(root, '.local', `score-${process.pid}`);
  const isLeftOut = (path) =>
    /(^|\/)(node_modules|dist|\.turbo|package\.json)$/.test(relative(join(root, workspace), path));
  cpSync(join(root, workspace), folder, { recursive: true, filter: (path) => !isLeftOut(path) });
  const installed = join(root, workspace, 'node_modules');
  if (existsSync(installed)) symlinkSync(installed, join(folder, 'node_modules'));
  const found = [];
  const beneath = relative(workspace, sources);
  const isAid = /\.spec\.ts$|\/test-|\/(testing|reference|fixtures?)\/|\/golden\.ts$/;
  for (const file of readdirSync(join(folder, beneath), { recursive: true }).sort()) {
    if (!file.endsWith('.ts') || isAid.test(`/${file}`)) continue;
    const path = join(folder, beneath, file);
    writeFileSync(path, withMutants(join(sources, file), readFileSync(path, 'utf8'), found));
  }
  mkdirSync(join(folder, 'hits'));
  writeFileSync(
    join(folder, 'setup.mjs'),
    `import { writeFileSync } from 'node:fs';
const hits = new Set();
globalThis.__mutant = __active === -1 ? (k) => { hits.add(k); return false; } : (k) => k === __active;
afterAll(() => {
  const name = expect.getState().testPath.replaceAll(/[^a-z0-9]/gi, '_');
  if (__active === -1) writeFileSync(${JSON.stringify(join(folder, 'hits'))} + '/' + name, JSON.stringify([...hits]));
});
`,
  );
  return { folder, found };
}

/** Runs each spec without a mutant. @returns the mutants that it reaches and its duration, quickest first */
async function baseline(specs, folder, paths) {
  const reached = [];
  for (const spec of paths) {
    const begun = performance.now();
    const { isGreen, by } = await specs.run(spec, -1, 600_000);
    const ms = performance.now() - begun;
    const hits = join(folder, 'hits', spec.replaceAll(/[^a-z0-9]/gi, '_'));
    if (isGreen && existsSync(hits)) reached.push({ spec, ms, hits: new Set(JSON.parse(readFileSync(hits, 'utf8'))) });
    else console.error(`left out, because it fails in a copy: ${basename(spec)} (${by})`);
  }
  return reached.sort((a, b) => a.ms - b.ms);
}

/** Returns random numbers by a seed, in order. */
function drawn(count, sample, seed) {
  const all = Array.from({ length: count }, (_, at) => at);
  let state = seed >>> 0;
  for (let at = count - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [all[at], all[other]] = [all[other], all[at]];
  }
  return all.slice(0, sample).sort((a, b) => a - b);
}

async function main(sources, options) {
  const root = resolve(options.root);
  const { folder, found } = prepared(root, sources);
  const specs = new Specs({ root, folder });
  process.once('exit', () => {
    specs.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const isScored = (path) => new RegExp(options.specs).test(path) && !new RegExp(options.without).test(path);
  const all = readdirSync(folder, { recursive: true }).filter((path) => UNIT_SPEC.test(path));
  const reached = await baseline(
    specs,
    folder,
    all.filter(isScored).map((path) => join(folder, path)),
  );
  const sample = drawn(found.length, Number(options.sample ?? found.length), Number(options.seed));
  const results = [];
  for (const [at, active] of sample.entries()) {
    let by;
    for (const { spec, ms } of reached.filter(({ hits }) => hits.has(active))) {
      const outcome = await specs.run(spec, active, Math.max(MIN_MS, TIMEOUT_FACTOR * ms));
      if (!outcome.isGreen) by = `${basename(spec)}: ${outcome.by}`;
      if (by !== undefined) break;
    }
    const line = { mutant: active, ...found[active], result: by === undefined ? 'survived' : 'caught', by };
    results.push(line);
    if (options.out) appendFileSync(options.out, `${JSON.stringify(line)}\n`);
    if (by === undefined) console.log(JSON.stringify(line));
    if (at % 20 === 19) console.error(`${at + 1}/${sample.length}`);
  }
  const caught = results.filter(({ result }) => result === 'caught').length;
  console.log(`caught ${caught} of ${results.length} (${((100 * caught) / results.length).toFixed(1)} %)`);
  specs.close();
}

if (process.argv[2] === WORKER) await work(JSON.parse(process.argv[3]));
else {
  const text = (fallback) => ({ type: 'string', default: fallback });
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ root: text(join(import.meta.dirname, '../..')), sample: { type: 'string' }, seed: text('14') },
      ...{ specs: text(''), without: text('^$'), out: { type: 'string' }, help: { type: 'boolean' } },
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  if (values.help || positionals.length !== 1) console.log(HELP);
  else await main(positionals[0].replace(/\/$/, ''), values);
  if (!values.help && positionals.length !== 1) process.exitCode = 2;
}
