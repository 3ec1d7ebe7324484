import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../checkout.js';

/** A change of behaviour that specs must notice; `acceptance/mutants/run.mjs --help` says more. */
interface Mutant {
  readonly id: string;
  readonly edit: { readonly file: string; readonly find: string; readonly replace: string };
  /** The specs that must fail, as beginnings of their paths. */
  readonly specs: readonly string[];
  readonly under: readonly string[];
}

const text = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const mutants: readonly Mutant[] = JSON.parse(text('acceptance/mutants/mutants.json'));

describe('the mutants', () => {
  it('have unique ids', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  it('each change exactly one place in the sources', () => {
    const places = ({ edit: { file, find } }: Mutant) =>
      existsSync(join(ROOT, file)) ? text(file).split(find).length - 1 : 0;
    expect(mutants.filter((mutant) => places(mutant) !== 1).map(({ id, edit: { file } }) => `${id}: ${file}`)).toEqual(
      [],
    );
  });

  it('name existing specs', () => {
    const exists = (path: string) =>
      existsSync(join(ROOT, dirname(path))) &&
      readdirSync(join(ROOT, dirname(path))).some((name) => name.startsWith(basename(path)));
    const missing = mutants.flatMap(({ id, specs }) =>
      specs.filter((path) => !exists(path)).map((path) => `${id}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('name existing folders', () => {
    const missing = mutants.flatMap(({ id, under }) =>
      under.filter((path) => path.endsWith('/') && !existsSync(join(ROOT, path))).map((path) => `${id}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
