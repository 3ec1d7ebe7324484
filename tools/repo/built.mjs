import { spawnSync } from 'node:child_process';

/**
 * `node tools/repo/built.mjs PACKAGE`: builds the package if its sources have changed. It says nothing unless that
 * fails, and then on standard error, so that standard output is all the following command's.
 */
const [name] = process.argv.slice(2);
const build = spawnSync('npm', ['run', '--silent', 'build', '--', `--filter=${name}`], { encoding: 'utf8' });
if (build.status !== 0) {
  process.stderr.write(`${build.stdout ?? ''}${build.stderr ?? ''}${build.error?.message ?? ''}\n`);
  process.stderr.write(`${name} cannot be built, so the command does not run\n`);
  process.exitCode = build.status ?? 1;
}
