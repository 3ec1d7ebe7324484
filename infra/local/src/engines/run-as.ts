import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The ordinary user that OpenSearch and PostgreSQL run as when the launcher is root: both refuse to be root. */
export interface EngineUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Users that every system has and nobody logs in as, the best first. */
const USERS = ['nobody', 'postgres', 'daemon'];

/** Whom to run the engines as: undefined means as whoever runs the launcher, which is right unless that is root. */
export function engineUser(): EngineUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n').map(userOf);
  for (const name of USERS) {
    const user = users.find((candidate) => candidate?.name === name);
    if (user !== undefined) return user;
  }
  throw new Error(`OpenSearch and PostgreSQL refuse to run as root, and /etc/passwd has none of ${USERS.join(', ')}`);
}

function userOf(line: string): EngineUser | undefined {
  const [name, , uid, gid] = line.split(':');
  if (name === undefined || Number.isNaN(Number(uid ?? '')) || Number(uid) === 0) return undefined;
  return { name, uid: Number(uid), gid: Number(gid) };
}

/** Whether that user can read and pass this file or folder; really tried, since every parent has a say in it. */
export function canReach(user: EngineUser | undefined, path: string): boolean {
  const test = ['-c', 'test -r "$1" && test -x "$1"', 'sh', path];
  const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  return spawnSync('/bin/sh', test, { ...as, cwd: '/', stdio: 'ignore' }).status === 0;
}
