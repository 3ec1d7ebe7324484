import { spawn } from 'node:child_process';

/** After so long, a person should know what is waited for. */
const LONG_MS = 5_000;

/**
 * `node tools/repo/built.mjs [PACKAGE]`: builds the package, or all of them, if sources have changed. What the build says
 * is told only when it fails, and then on standard error, so that standard output is all the following command's.
 */
const [name] = process.argv.slice(2);
const filter = name === undefined ? [] : ['--', `--filter=${name}`];
const build = spawn('npm', ['run', '--silent', 'build', ...filter], { stdio: ['ignore', 'pipe', 'pipe'] });
const said = [];
build.stdout.on('data', (part) => said.push(part));
build.stderr.on('data', (part) => said.push(part));
const timer = setTimeout(() => process.stderr.write('building what has changed ...\n'), LONG_MS);
build.on('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
build.on('close', (code) => {
  clearTimeout(timer);
  if (code === 0) return;
  process.stderr.write(Buffer.concat(said));
  process.stderr.write(`${name ?? 'this checkout'} cannot be built, so the command does not run\n`);
  process.exitCode = code > 0 ? code : 1;
});
