import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A Java home, its major version, and where it was found. */
export interface Jdk {
  readonly home: string;
  readonly version: number;
  readonly foundBy: string;
}

/** The settings that may name a JDK. */
export interface JdkSettings {
  readonly OPENSEARCH_JAVA_HOME?: string | undefined;
  readonly JAVA_HOME?: string | undefined;
  readonly PATH?: string | undefined;
}

/** Folders in which systems and version managers install JDKs; the second part is the path from each to the home. */
const USUAL_FOLDERS: readonly (readonly [string, string])[] = [
  ['/usr/lib/jvm', ''],
  ['/usr/java', ''],
  ['/opt/java', ''],
  ['/opt/jdk', ''],
  ['/Library/Java/JavaVirtualMachines', 'Contents/Home'],
  ['/opt/homebrew/opt', 'libexec/openjdk.jdk/Contents/Home'],
  ['/usr/local/opt', 'libexec/openjdk.jdk/Contents/Home'],
  [join(homedir(), '.sdkman/candidates/java'), ''],
  [join(homedir(), '.jdks'), ''],
];

/** Thrown when no JDK is new enough; the message says what was searched, what was found, and what to do. */
export class NoJdk extends Error {
  override readonly name = 'NoJdk';
}

/**
 * Returns the first JDK that is new enough, from OPENSEARCH_JAVA_HOME, JAVA_HOME, PATH, and the usual folders, in this order.
 * `isUsable` may reject a home, for example one that the engine's user cannot access.
 * @throws NoJdk
 */
export function findJdk(
  engine: string,
  atLeast: number,
  settings: JdkSettings,
  isUsable: (home: string) => boolean = () => true,
): Jdk {
  const rejected: string[] = [];
  for (const [home, foundBy] of candidates(settings)) {
    const version = versionOf(home);
    if (version === undefined) continue;
    if (version >= atLeast && isUsable(home)) return { home, version, foundBy };
    rejected.push(
      `Java ${version} in ${home} (${foundBy}${version >= atLeast ? `, not accessible to ${engine}` : ''})`,
    );
  }
  throw new NoJdk(
    `${engine} needs Java ${atLeast} or newer. ${rejected.length === 0 ? 'None was found' : `Found only ${rejected.join('; ')}`}. ` +
      `Install a JDK ${atLeast} or newer (for example Eclipse Temurin), or set OPENSEARCH_JAVA_HOME or JAVA_HOME to the home of one.`,
  );
}

/** Returns the options for a short-lived engine: only the fast C1 compiler, with which a start takes half the processor time. */
export function jitOptions({ shortLived }: { readonly shortLived: boolean }): readonly string[] {
  return shortLived ? ['-XX:TieredStopAtLevel=1'] : [];
}

/**
 * Returns the options for an engine that is not short-lived: when it first stops, Java (19 or newer) writes its loaded classes into
 * this archive, and later starts read them from it. Kafka then needs a third less processor time until it is ready.
 */
export function classArchiveOptions({ shortLived }: { readonly shortLived: boolean }, file: string): readonly string[] {
  return shortLived ? [] : ['-XX:+AutoCreateSharedArchive', `-XX:SharedArchiveFile=${file}`, '-Xlog:cds=off'];
}

function* candidates(settings: JdkSettings): Generator<readonly [home: string, foundBy: string]> {
  if (settings.OPENSEARCH_JAVA_HOME) yield [settings.OPENSEARCH_JAVA_HOME, 'OPENSEARCH_JAVA_HOME'];
  if (settings.JAVA_HOME) yield [settings.JAVA_HOME, 'JAVA_HOME'];
  for (const folder of (settings.PATH ?? '').split(delimiter)) {
    const java = join(folder, 'java');
    if (folder !== '' && existsSync(java)) yield [dirname(dirname(realpathSync(java))), 'PATH'];
  }
  for (const [folder, home] of USUAL_FOLDERS) {
    for (const name of namesIn(folder)) yield [join(folder, name, home), folder];
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Returns the major version from the `release` file that every JDK since 7 has, else from `java -version`. */
function versionOf(home: string): number | undefined {
  if (!existsSync(join(home, 'bin', 'java'))) return undefined;
  return (
    majorIn(releaseOf(home), /^JAVA_VERSION="(\d+)(?:\.(\d+))?/m) ??
    majorIn(versionOutputOf(home), /version "(\d+)(?:\.(\d+))?/)
  );
}

/** Until Java 8 the first number was 1, as in 1.8. */
function majorIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text);
  if (found === null) return undefined;
  return Number(found[1] === '1' ? found[2] : found[1]);
}

function releaseOf(home: string): string {
  try {
    return readFileSync(join(home, 'release'), 'utf8');
  } catch {
    return '';
  }
}

function versionOutputOf(home: string): string {
  try {
    // `java -version` writes to standard error.
    return execFileSync('/bin/sh', ['-c', '"$1" -version 2>&1', 'sh', join(home, 'bin', 'java')], {
      encoding: 'utf8',
      timeout: 10_000,
    });
  } catch {
    return '';
  }
}
