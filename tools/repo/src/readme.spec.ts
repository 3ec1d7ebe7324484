import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ROOT, textOf } from './tracked-files.js';

const README = textOf('README.md');

/** The rows of "Follow one offset": a step, the file it happens in, and a word that stands there. */
const STEPS = [...README.matchAll(/^\| ([^|]+) \| `([^`|]+\.ts)` \| `([^`|]+)` \|$/gm)].map(
  ([, step = '', file = '', word = '']) => ({ step, file, word }),
);

describe('README.md', () => {
  it('follows one offset through at least a dozen files', () => {
    expect(STEPS.length).toBeGreaterThanOrEqual(12);
  });

  it.each(STEPS)('finds that $step in $file', ({ file, word }) => {
    expect(textOf(file)).toContain(word);
  });

  it('names only scripts that package.json has', () => {
    const { scripts } = JSON.parse(textOf('package.json'));
    const named = [...README.matchAll(/`(?:npm run ([a-z][a-z:-]*)|npm (start|test))/g)].map(
      ([, run, direct]) => run ?? direct,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('links only to files that are there', () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, file = '']) => file);
    expect(links.filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([]);
  });

  it('gives the two commands that do all the set-up', () => {
    expect(README).toContain('npm install && npm start');
    expect(README).toContain('npm install && npm test');
  });
});
