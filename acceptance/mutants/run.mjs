import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `Usage: node acceptance/mutants/run.mjs [options]

Changes one behaviour at a time in a copy of a checkout, rebuilds what needs it and runs the specs that must fail.
Exits with 0 when every mutant was caught, 1 when one was not, 2 after an error.

Options:
  --root DIR        the checkout, built (default: this one); it is copied and never changed
  --data FILE       the mutants (default: mutants.json beside this file)
  --only ID         only this mutant; may be repeated
  --area AREA       only the mutants of an area
  --unit            only mutants that unit specs catch, without engines
  --out FILE        JSON lines of the results (default: standard output)
  --timeout SECONDS the longest that one run of specs may take; longer counts as caught (default: 600)
  --keep            keep the copy
  --help            this text`;

const HERE = import.meta.dirname;
const options = readOptions({
  root: { type: 'string', default: join(HERE, '../..') },
  data: { type: 'string', default: join(HERE, 'mutants.json') },
  only: { type: 'string', multiple: true },
  area: { type: 'string' },
  unit: { type: 'boolean', default: false },
  out: { type: 'string' },
  timeout: { type: 'string', default: '600' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});
const ROOT = resolve(options.root);
const TIMEOUT_MS = Number(options.timeout) * 1000;
/** The Node of the checkout, because the one that runs this may be too old for the specs. */
const NODE = join(ROOT, 'node_modules/node/bin/node');

/** Exits with 2 for an unknown option, because 1 means that a mutant was not caught. */
function readOptions(options) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

/** Runs a Node program in the copy. @returns its exit code, undefined after the timeout, and its output */
function node(copy, args) {
  const child = spawn(NODE, args, { cwd: copy, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(part));
  const kill = () => process.kill(-child.pid, 'SIGKILL');
  process.once('exit', kill);
  return new Promise((done, fail) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, TIMEOUT_MS);
    child.on('error', fail);
    child.on('close', (code) => {
      clearTimeout(timer);
      process.off('exit', kill);
      done({ code: isLate ? undefined : code, said: Buffer.concat(said).toString() });
    });
  });
}

/** Copies sources and build output; links installed packages, except the workspaces. */
function copyOf(root) {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
  process.once('exit', () => options.keep || rmSync(copy, { recursive: true, force: true }));
  const isLeftOut = /(^|\/)(node_modules|\.git|\.local|\.turbo)$|^\/infra\/local\/(engines|target)$/;
  cpSync(root, copy, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter: (path) => path === root || !isLeftOut.test(path.slice(root.length)),
  });
  const folders = [
    '',
    ...['apps', 'libs', 'infra', 'tools'].flatMap((kind) =>
      readdirSync(join(root, kind)).map((name) => join(kind, name)),
    ),
  ];
  for (const folder of [...folders, 'acceptance', 'e2e', 'bench', 'chaos'])
    link(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  const engines = join(root, 'infra/local/engines');
  if (existsSync(engines)) symlinkSync(engines, join(copy, 'infra/local/engines'));
  return copy;
}

function link(from, to) {
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    // Links between workspaces are relative, so that they point into the copy.
    if (name === '@carbon') cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
  }
}

const workspaceOf = (file) => file.split('/').slice(0, 2).join('/');
const compile = (copy, file) =>
  node(copy, ['node_modules/ts7/bin/tsc', '-p', join(workspaceOf(file), 'tsconfig.json')]);

/** Runs the specs that match the path patterns. @returns the result; undefined if no spec matches */
async function runSpecs(copy, lane, paths) {
  const lanes = lane === 'unit' ? ['unit'] : ['unit', lane];
  const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const flags = ['--bail', '--silent', '--maxWorkers=1', '--passWithNoTests', '--reporters=default'];
  const { code, said } = await node(copy, [...jest, '--selectProjects', ...lanes, ...flags, '--', ...paths]);
  if (code === undefined) return { result: 'caught', by: ['the time-out'] };
  if (said.includes('No tests found')) return undefined;
  if (code === 0) return { result: 'survived', by: [] };
  const by = new Set([...said.matchAll(/^ {2}● (.+)$/gm)].map(([, name]) => name));
  // An unhandled rejection ends the process; a suite that cannot be loaded does not count as catching the mutant.
  if (by.size === 0 && /^Node\.js v/m.test(said)) return { result: 'caught', by: ['the end of the process'] };
  if (by.size === 0 || by.has('Test suite failed to run')) return { result: 'not judged', by: [said.slice(-1_000)] };
  return { result: 'caught', by: [...by] };
}

/** Runs the named specs first; unless they catch it, all specs under the feature's folders. */
async function askSpecs(copy, { id, lane, specs, under }) {
  const first = await runSpecs(copy, lane, specs);
  if (first?.result === 'caught') return first;
  const last = (await runSpecs(copy, lane, under)) ?? first;
  return last ?? { result: 'not judged', by: [`${id} names no existing spec`] };
}

/** Applies one edit, runs the specs, and restores the file and its build output. */
async function judge(copy, mutant) {
  const { file, find, replace } = mutant.edit;
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  const parts = before.split(find);
  if (parts.length !== 2) return { result: 'no longer applies', by: [`${parts.length - 1} places in ${file}`] };
  try {
    writeFileSync(path, parts.join(replace));
    const { code, said } = await compile(copy, file);
    return code === 0 ? await askSpecs(copy, mutant) : { result: 'did not compile', by: [said.trim().slice(0, 500)] };
  } finally {
    writeFileSync(path, before);
    await compile(copy, file);
  }
}

async function main() {
  const isWanted = ({ id, area, lane }) =>
    (options.only?.includes(id) ?? true) && area === (options.area ?? area) && (!options.unit || lane === 'unit');
  const mutants = JSON.parse(readFileSync(options.data, 'utf8')).filter(isWanted);
  if (mutants.length === 0) throw new RangeError('no mutant is selected');
  const copy = copyOf(ROOT);
  const results = [];
  for (const mutant of mutants) {
    const start = Date.now();
    const { result, by } = await judge(copy, mutant);
    const seconds = Math.round((Date.now() - start) / 1000);
    results.push(result);
    const line = `${JSON.stringify({ id: mutant.id, area: mutant.area, words: mutant.words, result, by, seconds })}\n`;
    if (options.out === undefined) process.stdout.write(line);
    else appendFileSync(options.out, line);
    console.error(`${results.length}/${mutants.length} ${result}: ${mutant.id} (${seconds} s)`);
  }
  const caught = results.filter((result) => result === 'caught').length;
  console.error(`caught ${caught} of ${results.length}`);
  return caught === results.length ? 0 : 1;
}

if (options.help) console.log(HELP);
else {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof RangeError ? error.message : error);
    process.exitCode = 2;
  }
}
