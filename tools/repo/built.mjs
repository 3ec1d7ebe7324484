import { spawn } from 'node:child_process';

/** How long a build may take before a notice is printed. */
const LONG_MS = 5_000;

/**
 * `node tools/repo/built.mjs [PACKAGE]`: builds the package, or all of them, if sources have changed. The output of the build
 * is printed only if it fails, and to standard error, because standard output belongs to the following command.
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
