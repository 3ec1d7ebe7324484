import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findJdk, NoJdk } from './jdk.js';

const dir = mkdtempSync(join(tmpdir(), 'jdk-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A folder that looks like a JDK of that version. */
function jdk(version: string): string {
  const home = join(dir, `jdk-${version}`);
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'java'), '');
  writeFileSync(join(home, 'release'), `IMPLEMENTOR="Somebody"\nJAVA_VERSION="${version}"\n`);
  return home;
}

const [old8, j17, j21, j25] = ['1.8.0_402', '17.0.15', '21', '25.0.1'].map(jdk) as [string, string, string, string];

describe('the search for a JDK', () => {
  it('takes OPENSEARCH_JAVA_HOME before JAVA_HOME', () => {
    const found = findJdk('OpenSearch', 21, { OPENSEARCH_JAVA_HOME: j21, JAVA_HOME: j25, PATH: '' });
    expect(found).toEqual({ home: j21, version: 21, foundBy: 'OPENSEARCH_JAVA_HOME' });
  });

  it('passes over those that are too old', () => {
    const found = findJdk('OpenSearch', 21, {
      OPENSEARCH_JAVA_HOME: old8,
      JAVA_HOME: j17,
      PATH: `${old8}/bin:${j25}/bin`,
    });
    expect(found).toEqual({ home: j25, version: 25, foundBy: 'PATH' });
  });

  it('follows the links that systems put on PATH', () => {
    mkdirSync(join(dir, 'bin'));
    symlinkSync(join(j25, 'bin', 'java'), join(dir, 'bin', 'java'));
    expect(findJdk('Kafka', 17, { PATH: join(dir, 'bin') }).home).toBe(j25);
  });

  it('passes over one that the engine’s user cannot reach', () => {
    const found = findJdk('OpenSearch', 21, { JAVA_HOME: j25, PATH: join(j21, 'bin') }, (home) => home !== j25);
    expect(found.home).toBe(j21);
  });

  it('says what it found and what to do when none is new enough', () => {
    const search = () => findJdk('OpenSearch', 99, { JAVA_HOME: old8, PATH: join(j17, 'bin') });
    expect(search).toThrow(NoJdk);
    expect(search).toThrow(/needs Java 99 or newer\. Found only Java 8 in .* \(JAVA_HOME\); Java 17 in .* \(PATH\)/);
    expect(search).toThrow('let OPENSEARCH_JAVA_HOME or JAVA_HOME name one');
  });
});
